/** What the process ends with; scripts depend on it. */
export const exitCodes = {
  done: 0,
  internal: 1,
  usage: 2,
  invalidScenario: 3,
  checkFailed: 4,
  environment: 5,
  rendering: 6,
  timedOut: 7,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A place in a text file, 1-based, with the line itself so that a caret can stand under it. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly sourceLine: string;
}

/** One thing that is wrong: what was expected, for what, what was found; then the fix. */
export interface Problem {
  readonly message: string;
  readonly where?: Place;
  readonly hint?: string;
  /** Path in the scenario, of one who knows no places: the place is looked up on the way to the user. The first variant, where none is said. */
  readonly at?: { readonly path: string; readonly variant?: string };
}

/**
 * The one error class that reaches the user. The lowest level attaches what it knows; the root prints once and exits once.
 * Several problems of one file travel together.
 */
export class FaultreelError extends Error {
  readonly exitCode: ExitCode;
  readonly problems: readonly Problem[];

  constructor(exitCode: ExitCode, problems: Problem | readonly Problem[], options?: { cause?: unknown }) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    super(list.map((problem) => problem.message).join('\n'), options);
    this.name = 'FaultreelError';
    this.exitCode = exitCode;
    this.problems = list;
  }
}

/** All problems as the terminal shows them: place, message, source line with caret, fix. */
export const describeError = (error: FaultreelError): string => printable(error.problems.map(describeProblem).join('\n\n'));

/** A text that a terminal shows and does not obey. */
export const printable = (text: string): string => text.replace(controls, '\uFFFD');

// What a stranger's file could use to command a terminal.
 
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

const describeProblem = ({ message, where, hint }: Problem): string =>
  [
    where ? `${where.file}:${where.line}:${where.column}: ${message}` : message,
    ...(where && where.sourceLine.trim() !== '' ? pointed(where) : []),
    ...(hint ? [`  ${hint}`] : []),
  ].join('\n');

/** `ENOSPC` and its like; empty when an error has none. */
export const errnoOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** What to do about an error of the machine; null when it is none of the machine's. `other` says how to name another place. */
export const machineAdvice = (errno: string, other = '--out'): string | null => {
  const trouble = Object.hasOwn(troubles, errno) ? troubles[errno] : null;
  if (trouble === null) return null;
  return typeof trouble === 'string' ? trouble : `${trouble[0]}: ${trouble[1]}, or name another place with ${other}`;
};

const troubles: Readonly<Record<string, string | readonly [what: string, fix: string]>> = {
  ENOSPC: ['The disk is full', 'make room on it'],
  EDQUOT: ['Your quota of the disk is used up', 'make room on it'],
  EROFS: ['The file system may only be read', 'mount it for writing'],
  EACCES: ['You may not write there', 'change whose it is'],
  EPERM: ['You may not write there', 'change whose it is'],
  EBUSY: ['It is in use, or the root of a file system', 'let go of it'],
  EXDEV: ['It lies on another file system than the folder around it', 'unmount it'],
  EMFILE: 'Too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'Too many files are open on this machine: end other programs',
};

/** Room for the source line; of a longer one, the part around the caret. */
const lineWidth = 160;

/** The source line and the caret under it. A character of double width (Korean) takes two columns of a terminal. */
const pointed = ({ sourceLine, column }: Place): string[] => {
  const start = sourceLine.length > lineWidth ? Math.max(0, Math.min(column - 100, sourceLine.length - lineWidth)) : 0;
  const shown = sourceLine.slice(start, start + lineWidth);
  const before = shown.slice(0, column - 1 - start).replace(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g, '  ');
  return [`  ${shown}`, `  ${before.replace(/[^\t]/g, ' ')}^`];
};
