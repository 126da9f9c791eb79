/** Where the pipeline tells what it is doing; the command line shows it. */
export interface Progress {
  /** A part of the work begins: `simulate as-it-is`. */
  stage(name: string): void;
  /** How far the running part is, in its own units (frames, ticks). */
  step(done: number, total: number, unit: string): void;
  /** How the running part is done; nobody who asks for quiet needs it. */
  detail(text: string): void;
  /** Something worth knowing that stops nothing. */
  notice(text: string): void;
  /** The last part ended. */
  end(): void;
}

export const silent: Progress = { stage: () => undefined, step: () => undefined, detail: () => undefined, notice: () => undefined, end: () => undefined };
