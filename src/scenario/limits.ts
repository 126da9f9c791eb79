/** Bounds of the language: generous for a real system, small enough that a stranger's file can neither hang the tool nor fill the machine. */
export const limits = {
  /** UTF-16 code units of a scenario file. */
  textLength: 1_000_000,
  /** Keys and values once every alias is unfolded. */
  nodes: 100_000,
  aliases: 1_000,
  /** Maps and lists inside each other. */
  depth: 60,
  /** Characters of a name. */
  nameLength: 100,
  /** Mistakes that are told one by one. */
  problems: 200,
  ticks: 3_600,
  durationMs: 7 * 24 * 3_600_000,
  /** No tick below this: a frame of film shows it no better. */
  tickMs: 1,
  services: 200,
  /** Of one service, and what an autoscaler may reach. */
  instances: 1_000,
  /** A caller instance and an instance that it calls, over all links. */
  pairs: 4_000_000,
  hosts: 200,
  machines: 100,
  traffics: 100,
  faults: 200,
  phases: 500,
  checks: 500,
  variants: 50,
  stops: 50,
  listLength: 500,
  characters: 2_000,
  ratePerS: 1_000_000,
  users: 1_000_000,
  times: 10_000,
  /** Steps of one handler or journey, and of a whole system, with their repetitions written out. */
  steps: 20_000,
  stepsOfAll: 500_000,
  retries: 1_000,
  cores: 10_000,
  bytes: 2 ** 50,
  keys: 1_000_000_000,
} as const;

/** What one run may take; work, not language. Only the command line can change it (`--set bounds.events=…`): a file that could would be no bound for a stranger's file. */
export interface Bounds {
  /** Events of one run, and steps inside them. A minute counts some hundred million on one core. */
  readonly events: number;
  /** Calls that exist at once: a gigabyte of them. */
  readonly calls: number;
  /** Numbers that are kept of a run: columns of services, instances and links, times ticks. Eight bytes each. */
  readonly samples: number;
  /** Events of all runs beside the shown ones: other seeds, ends of ranges, sweeps. An hour of one core. */
  readonly trials: number;
}

export const bounds: Bounds = { events: 1_000_000_000, calls: 2 ** 21, samples: 100_000_000, trials: 10_000_000_000 };
/** All variants of a file together, at most. */
export const eventsOfAllVariants = 4_000_000_000;
