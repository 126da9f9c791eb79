/** What a run can make, as `--only` names it. */
export const products = ['video', 'report', 'replay', 'text'] as const;
export type Product = (typeof products)[number];

/** What a run makes when nobody says: all that is written to files. */
export const writtenProducts: ReadonlySet<Product> = new Set(['video', 'report', 'replay']);

/** Every file that a folder of results may hold, and the product it belongs to; `study` files are always written. */
export const artefacts = {
  'video.mp4': 'video',
  'video.vtt': 'video',
  'poster.png': 'video',
  'report.pdf': 'report',
  'replay.html': 'replay',
  'study.json': 'study',
  'ticks.csv': 'study',
  'events.csv': 'study',
  'summary.md': 'study',
} as const satisfies Readonly<Record<string, Product | 'study'>>;
export type Artefact = keyof typeof artefacts;

/** What a call promises to leave in the folder. */
export const promised = (wanted: ReadonlySet<Product>): readonly Artefact[] =>
  (Object.keys(artefacts) as Artefact[]).filter((name) => artefacts[name] === 'study' || wanted.has(artefacts[name] as Product));
