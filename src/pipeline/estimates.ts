import type { Scenario, System } from '../scenario/model.js';
import type { FilmRange } from './film-range.js';
import type { PlannedRuns } from './dry-run.js';
import type { Artefact, Product } from './products.js';

/** From least to most, where only a run would tell. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

/** Guesses by constants that were read off runs of the shipped scenarios, once, on two quiet cores: right within a factor of two or so. */
export interface Estimates {
  readonly seconds: { readonly simulate: Span; readonly report: number; readonly replay: number; readonly film: Span; readonly total: Span };
  readonly bytes: Partial<Readonly<Record<Artefact, number>>>;
}

interface Planned {
  readonly scenario: Scenario;
  /** Of each variant, in one run. */
  readonly requests: readonly number[];
  readonly runs: PlannedRuns;
  readonly film: FilmRange | null;
  readonly look: { readonly width: number; readonly height: number };
  readonly wanted: ReadonlySet<Product>;
  readonly threads: number;
}

/** What one thread simulates in a second. */
const requestsPerS = 150_000;
/** A run is not free without requests. */
const secondsPerRun = 0.05;
/** Further runs that a verdict takes at most as a rule: its worst corner, and three rounds of two where it turns. */
const furtherPerVerdict = 7;
/** Of 1920 × 1080, on the canvas. */
const framesPerS = 120;
const fullPixels = 1920 * 1080;

export const estimates = ({ scenario, requests, runs, film, look, wanted, threads }: Planned): Estimates => {
  const secondsOfRun = secondsPerRun + sum(requests) / requests.length / requestsPerS;
  const simulated = (count: number): number => Math.max(secondsOfRun, (count * secondsOfRun) / threads);
  const planned = runs.shown + runs.ends + runs.sweeps;
  const simulate = { least: simulated(planned), most: simulated(planned + runs.testedVerdicts * furtherPerVerdict) };
  const bytes = bytesOf(scenario, film, look);
  const report = wanted.has('report') ? 3 + (bytes['study.json'] ?? 0) / 1e6 : 0;
  const replay = wanted.has('replay') ? 2 : 0;
  const pictures = Math.max(0.25, (look.width * look.height) / fullPixels);
  const filmed = (frames: number): number => 4 + (frames * pictures) / framesPerS;
  const filming = film === null ? { least: 0, most: 0 } : { least: filmed(film.frames.least), most: filmed(film.frames.most) };
  const total = { least: simulate.least + report + replay + filming.least, most: simulate.most + report + replay + filming.most };
  return { seconds: { simulate, report, replay, film: filming, total }, bytes };
};

/** Each part has its columns in every tick. */
const bytesOf = ({ variants }: Scenario, film: FilmRange | null, { width, height }: Planned['look']): Estimates['bytes'] => {
  const cells = sum(variants.map((system) => Math.ceil(system.durationMs / system.tickMs) * partsOf(system)));
  const study = 20_000 + 65 * cells;
  const middle = film === null ? 0 : (film.seconds.least + film.seconds.most) / 2;
  return {
    'video.mp4': middle * bytesPerFilmS * Math.max(0.25, (width * height) / fullPixels),
    'video.vtt': middle * 15,
    'poster.png': 220_000 * ((width * height) / fullPixels),
    'report.pdf': 250_000 + study / 2,
    'replay.html': 650_000 + study / 4,
    'study.json': study,
    'ticks.csv': 85 * cells,
    'events.csv': 5_000,
    'summary.md': 3_000,
  };
};
const bytesPerFilmS = 30_000;

/** Instances, as many as there may be, and links. */
const partsOf = ({ services, traffic }: System): number => sum(services.map((service) => Math.min(200, service.autoscale?.max.value ?? service.instances.value) + service.links.length)) + sum(traffic.map(({ links }) => links.length));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
