/** Sheets that a report may be printed on, pt. */
export const papers = {
  a4: { width: 595.28, height: 841.89 },
  letter: { width: 612, height: 792 },
} as const satisfies Record<string, Sheet>;
export type Paper = keyof typeof papers;

export interface Sheet {
  readonly width: number;
  readonly height: number;
}

export const isPaper = (text: string): text is Paper => Object.hasOwn(papers, text);
