import { eventKinds } from '../scenario/model.js';
import type * as Model from './types.js';
import { beliefs, breakerStates, instanceStates, studySchemaId, warningKinds } from './types.js';
import { listOf, mapOf, oneOf, orNull, shape, type Schema } from './json-schema.js';

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const number: Schema = { type: 'number' };
const positive: Schema = { type: 'number', minimum: 0 };
const count: Schema = { type: 'integer', minimum: 0 };
const share: Schema = { type: 'number', minimum: 0, maximum: 1 };
const both: Schema = shape<Model.Text>({ en: text, ko: text });

const basis = oneOf('measured', 'spec', 'chosen', 'assumed', 'default');
const unit = oneOf('ms', '/s', 'B', 'B/s', 'count', 'cores', 'factor', 'share', 'weight', 'money/h');
const metric = oneOf(
  ...['good', 'declined', 'refused', 'failed', 'dropped', 'rate', 'mean', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max'],
  ...['cpu', 'queue', 'slots', 'memory', 'poolWait', 'lockWait', 'ooms', 'ejections', 'launches', 'cost'],
);
const eventKind = oneOf(...eventKinds);

const override = shape<Model.Override>({ path: text, value: text });

const spread: Schema = { type: 'object', properties: { kind: oneOf('gamma', 'lognormal', 'quantiles'), cv: positive, points: listOf({ type: 'array', items: number, minItems: 2, maxItems: 2 }) }, required: ['kind'], additionalProperties: false };

const input = shape<Model.Input>(
  { path: text, value: orNull(number), unit, basis, setting: flag, from: text, why: text, range: { type: 'array', items: number, minItems: 2, maxItems: 2 }, currency: text, spread },
  ['from', 'why', 'range', 'currency', 'spread'],
);

type Rehearsal = Model.StudyScenario['rehearsal'];
const scenario = shape<Model.StudyScenario>(
  {
    name: text,
    title: both,
    about: both,
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    seed: { type: 'integer' },
    durationMs: positive,
    tickMs: positive,
    limits: listOf(both),
    text,
    set: listOf(override),
    rehearsal: shape<Rehearsal>({
      pacing: shape<Rehearsal['pacing']>({ quiet: positive, incident: positive }),
      stops: listOf(
        shape<Rehearsal['stops'][number]>(
          {
            name: text,
            at: { anyOf: [shape<{ timeMs: number }>({ timeMs: positive }), shape<{ kind: string; subject: string }>({ kind: eventKind, subject: text })] },
            ask: both,
            about: text,
            answer: both,
            holdMs: positive,
          },
          ['about', 'answer'],
        ),
      ),
    }),
  },
  ['about'],
);

const latency = orNull(
  shape<Model.LatencySummary>({ count, p50: positive, p90: positive, p95: positive, p99: positive, 'p99.9': positive, mean: positive, max: positive }),
);
const level = shape<Model.Level>({ mean: positive, max: positive });
const byReason = mapOf(count);
const latencyBuckets = shape<Model.LatencyBuckets>({ fromMs: listOf(positive), toMs: listOf(positive), counts: listOf({ type: 'integer', minimum: 1 }) });

const trafficTotals = shape<Model.TrafficTotals>({
  offered: count,
  good: count,
  declined: byReason,
  refused: byReason,
  failed: byReason,
  inFlight: count,
  dropped: count,
  deliveries: orNull(shape<NonNullable<Model.TrafficTotals['deliveries']>>({ made: count, missed: count })),
  goodPerS: positive,
  latencyMs: latency,
  validLatencyMs: latency,
  badLatencyMs: latency,
  latencyBuckets: shape<Model.TrafficTotals['latencyBuckets']>({ good: latencyBuckets, bad: latencyBuckets }),
});

const instanceTotals = shape<Model.InstanceTotals>({
  number: { type: 'integer', minimum: 1 },
  arrived: count,
  good: count,
  declined: count,
  refused: count,
  failed: count,
  cpuCores: level,
  slots: level,
  queue: level,
  memoryBytes: level,
  ooms: count,
  connections: level,
  throttled: share,
  billedS: positive,
  billedMs: listOf({ type: 'array', items: positive, minItems: 2, maxItems: 2 }),
});
const serviceTotals = shape<Model.ServiceTotals>({
  instances: listOf(instanceTotals),
  cpuCores: level,
  slots: level,
  queue: level,
  memoryBytes: level,
  ooms: count,
  launches: count,
});
const hostTotals = shape<Model.HostTotals>({ cpuCores: level, memoryBytes: level });
const lockTotals = shape<Model.LockTotals>({ taken: count, waited: count, timeouts: count, waitMs: latency, waiting: level });
const linkTotals = shape<Model.LinkTotals>({
  sent: count,
  good: count,
  declined: count,
  refused: byReason,
  failed: byReason,
  inFlight: count,
  probes: shape<Model.LinkTotals['probes']>({ sent: count, good: count, bad: count }),
  ejections: count,
  retries: count,
  latencyMs: latency,
  pool: orNull(shape<NonNullable<Model.LinkTotals['pool']>>({ opened: count, inUse: level, waiting: level, waitMs: latency })),
});

const loggedEvent = shape<Model.LoggedEvent>({
  tMs: positive,
  kind: eventKind,
  subject: text,
  cause: text,
  basis: oneOf('counted', 'estimated'),
  data: mapOf({ anyOf: [number, text] }),
});

const warning = shape<Model.Warning>({ kind: oneOf(...warningKinds), subject: text, phase: orNull(text), data: mapOf(number) });
const compared = orNull(shape<Model.Compared>({ phase: orNull(text), variant: text }));

const pictureHost = shape<Model.PictureHost>({ name: text, cpus: orNull(positive), memoryBytes: orNull(positive) });
const pictureService = shape<Model.PictureService>({
  name: text,
  title: both,
  kind: oneOf('service', 'balancer', 'store', 'cache', 'queue', 'worker', 'external'),
  machine: orNull(shape<NonNullable<Model.PictureService['machine']>>({ name: text, cpus: positive, memoryBytes: positive })),
  host: orNull(text),
  beside: orNull(text),
  slotsHeld: oneOf('request', 'cpu'),
  rateLimit: orNull(shape<NonNullable<Model.PictureService['rateLimit']>>({ perS: positive, burst: positive, delay: flag, scope: oneOf('instance', 'service') })),
  consumes: orNull(text),
  locks: listOf(text),
  stock: mapOf(positive),
  cpus: orNull(positive),
  slots: orNull(positive),
  queueLimit: orNull(positive),
  memoryLimitBytes: orNull(positive),
  instancesAtStart: count,
  instancesMax: count,
  warmUp: shape<Model.PictureService['warmUp']>({ forMs: positive, factor: positive }),
  recovery: shape<Model.PictureService['recovery']>({ by: oneOf('restart', 'reboot', 'replace', 'none'), afterMs: positive }),
  autoscale: orNull(
    shape<NonNullable<Model.PictureService['autoscale']>>({ min: count, max: count, metric: oneOf('cpu', 'slots', 'queue'), target: positive, everyMs: positive, bootMs: positive, bootBasis: basis }),
  ),
});
const pictureLink = shape<Model.PictureLink>({
  caller: text,
  callerKind: oneOf('traffic', 'service'),
  callee: text,
  kind: oneOf('call', 'message'),
  policy: oneOf('round-robin', 'random', 'two-choices', 'least-outstanding', 'hash'),
  health: orNull(
    shape<NonNullable<Model.PictureLink['health']>>({ path: oneOf('shared', 'dedicated'), everyMs: positive, firstMs: positive, timeoutMs: positive, unhealthyAfter: count, healthyAfter: count }),
  ),
  failOpen: positive,
  timeoutMs: orNull(positive),
  deadlineMs: orNull(positive),
  retries: count,
  outlier: orNull(shape<NonNullable<Model.PictureLink['outlier']>>({ errors: count, everyMs: positive, ejectMs: positive, maxEjected: positive })),
  breaker: orNull(shape<NonNullable<Model.PictureLink['breaker']>>({ errors: positive, windowMs: positive, minimum: count, openMs: positive })),
  slowStartMs: positive,
  pool: orNull(shape<NonNullable<Model.PictureLink['pool']>>({ max: orNull(positive), pending: orNull(positive), waitMs: orNull(positive), reuse: orNull(positive), handshakeMs: positive })),
});
const pictureTraffic = shape<Model.PictureTraffic>({
  name: text,
  title: both,
  kind: oneOf('open', 'closed', 'bursts', 'sockets'),
  isJourney: flag,
  from: orNull(text),
  limit: orNull(positive),
  scripted: listOf(shape<Model.PictureTraffic['scripted'][number]>({ atMs: positive, value: positive, basis })),
});
const pictureObjective = shape<Model.PictureObjective>({
  name: text,
  of: text,
  metric,
  condition: text,
  op: oneOf('<=', '>=', '<', '>', '=', '±', '..'),
  low: orNull(number),
  high: orNull(number),
  unit,
  over: oneOf('good', 'valid', 'bad'),
  in: { anyOf: [listOf(text), { const: 'run' }] },
  isEach: flag,
  vs: compared,
  breaks: { anyOf: [flag, listOf(text)] },
});
const picture = shape<Model.Picture>({
  hosts: listOf(pictureHost),
  services: listOf(pictureService),
  links: listOf(pictureLink),
  traffic: listOf(pictureTraffic),
  objectives: listOf(pictureObjective),
});

/** A constant column is a bare number. */
const columnOf = (value: Schema): Schema => ({ anyOf: [value, listOf(orNull(value))] });
const column = columnOf(positive);
const codeOf = (names: readonly unknown[]): Schema => columnOf({ type: 'integer', minimum: 0, maximum: names.length - 1 });
const levels = shape<Model.LevelColumns>({ mean: column, max: column, end: column });
const outcomes = { good: column, declined: column, refused: column, failed: column };

type TickTraffic = Model.Ticks['traffic'][string];
type TickService = Model.Ticks['services'][string];
type TickLink = Model.Ticks['links'][string];
const ticks = shape<Model.Ticks>({
  count: { type: 'integer', minimum: 0, maximum: 3600 },
  traffic: mapOf(
    shape<TickTraffic>({
      offered: column,
      ...outcomes,
      inFlight: column,
      dropped: column,
      present: orNull(column),
      deliveries: orNull(shape<NonNullable<TickTraffic['deliveries']>>({ made: column, missed: column })),
      p50: column,
      p95: column,
      p99: column,
      trailing: shape<TickTraffic['trailing']>({ p50: column, p95: column, p99: column }),
    }),
  ),
  services: mapOf(
    shape<TickService>({
      desired: column,
      instances: listOf(
        shape<TickService['instances'][number]>({
          state: codeOf(instanceStates),
          saturated: codeOf([0, 1]),
          arrived: column,
          ...outcomes,
          slots: levels,
          queue: levels,
          cpuCores: levels,
          memoryBytes: levels,
          connections: column,
          throttled: columnOf(share),
          frozen: codeOf([0, 1]),
          warmUpLeftMs: column,
          bootLeftMs: column,
          downLeftMs: column,
        }),
      ),
    }),
  ),
  links: mapOf(
    shape<TickLink>({
      targets: listOf(shape<TickLink['targets'][number]>({ sent: column, ...outcomes, belief: codeOf(beliefs), probesTowards: column })),
      callers: listOf(shape<TickLink['callers'][number]>({ sent: column, ...outcomes, poolInUse: orNull(levels), poolWaiting: orNull(levels) })),
      failingOpen: codeOf([0, 1]),
      retries: column,
      opened: column,
      breaker: codeOf(breakerStates),
    }),
  ),
  hosts: mapOf(shape<Model.Ticks['hosts'][string]>({ cpuCores: levels, memoryBytes: levels, saturated: codeOf([0, 1]) })),
  locks: mapOf(shape<Model.Ticks['locks'][string]>({ held: levels, waiting: levels, saturated: codeOf([0, 1]) })),
});

const billed = { billedS: positive, extraS: positive, amount: orNull(positive) };
const cost = shape<Model.Cost>({
  services: mapOf(shape<Model.Cost['services'][string]>({ ...billed, machine: text })),
  amount: orNull(positive),
  currency: orNull(text),
  unknown: listOf(text),
  currencies: listOf(text),
  phases: mapOf(shape<Model.Cost['phases'][string]>({ services: mapOf(shape<Model.Billed>(billed)), amount: orNull(positive) })),
  survival: orNull(shape<NonNullable<Model.Cost['survival']>>({ fromMs: positive, extraS: positive, amount: orNull(positive) })),
});

const firstToBreak = orNull(
  shape<Model.FirstToBreak>({
    objective: text,
    phase: orNull(text),
    tMs: positive,
    resource: orNull(
      shape<NonNullable<Model.FirstToBreak['resource']>>({ service: text, instance: orNull({ type: 'integer', minimum: 1 }), what: oneOf('cpu', 'slots', 'pool', 'memory', 'lock'), sinceMs: positive }),
    ),
    evidence: mapOf(number),
  }),
);

const phase = shape<Model.PhaseTotals>({
  fromMs: positive,
  toMs: positive,
  traffic: mapOf(trafficTotals),
  links: mapOf(shape<Model.PhaseTotals['links'][string]>({ latencyMs: latency, poolWaitMs: latency })),
  locks: mapOf(shape<Model.PhaseTotals['locks'][string]>({ waitMs: latency })),
});

const run = shape<Model.Run>({
  variant: text,
  overrides: listOf(override),
  events: count,
  requests: count,
  durationMs: positive,
  system: picture,
  traffic: mapOf(trafficTotals),
  phases: mapOf(phase),
  services: mapOf(serviceTotals),
  links: mapOf(linkTotals),
  hosts: mapOf(hostTotals),
  locks: mapOf(lockTotals),
  warnings: listOf(warning),
  eventLog: listOf(loggedEvent),
  ticks,
  cost,
  firstToBreak,
});

const pathValue = { path: text, value: number };
const seedFigure = { median: orNull(number), low: orNull(number), high: orNull(number), min: orNull(number), max: orNull(number), known: count };
const figureName = { variant: text, of: text, metric, over: oneOf('good', 'valid', 'bad'), phase: orNull(text), vs: compared, unit };
const figures = listOf(orNull(number));
const brokenFirst = { objective: orNull(text), service: orNull(text), what: orNull(oneOf('cpu', 'slots', 'pool', 'memory', 'lock')) };
const seedSpread = shape<Model.SeedSpread>({
  seeds: listOf({ type: 'integer' }),
  figures: listOf(shape<Model.SeedSpread['figures'][number]>({ ...figureName, ...seedFigure })),
  firstToBreak: mapOf(listOf(shape<Model.SeedSpread['firstToBreak'][string][number]>({ ...brokenFirst, seeds: count }))),
});
const sensitivity = shape<Model.Sensitivity>({
  guesses: listOf(input),
  runs: count,
  figures: listOf(shape<Model.FigureName>(figureName)),
  written: figures,
  ends: listOf(shape<Model.Sensitivity['ends'][number]>({ ...pathValue, end: oneOf('low', 'high'), figures, firstToBreak: shape<Model.BrokenFirst>(brokenFirst) })),
  between: listOf(shape<Model.Sensitivity['between'][number]>({ ...pathValue, figures })),
});
const sweep = shape<Model.Sweep>(
  { variant: text, path: text, unit, currency: text, written: orNull(number), values: listOf(number), figures: listOf(shape<Model.FigureName>(figureName)), at: listOf(figures), knees: figures },
  ['currency'],
);

const verdict = shape<Model.Verdict>(
  {
    objective: text,
    phase: orNull(text),
    variant: text,
    of: text,
    metric,
    target: text,
    unit,
    actual: orNull(number),
    met: orNull(flag),
    expected: flag,
    vs: compared,
    blind: flag,
    basis: oneOf('counted', 'estimated'),
    sure: oneOf('firm', 'hinges', 'untested'),
    restsOn: listOf(text),
    flipsAt: shape<Model.PathValue>(pathValue),
    tested: orNull(
      shape<Model.TestedVerdict>({
        met: orNull(flag),
        moves: listOf(shape<Model.TestedVerdict['moves'][number]>({ path: text, low: orNull(number), high: orNull(number), swing: positive })),
        flips: listOf(shape<Model.TestedVerdict['flips'][number]>({ ...pathValue, holdsAt: number, end: oneOf('low', 'high') })),
        corner: orNull(shape<NonNullable<Model.TestedVerdict['corner']>>({ values: listOf(shape<Model.PathValue>(pathValue)), actual: orNull(number), met: orNull(flag) })),
        together: listOf(shape<Model.PathValue>(pathValue)),
        unknownAt: listOf(text),
      }),
    ),
    seeds: orNull(shape<Model.JudgedSeeds>({ ...seedFigure, of: count, met: count })),
  },
  ['flipsAt'],
);
const claim = shape<Model.ClaimResult>(
  {
    claim: text,
    variant: text,
    phase: orNull(text),
    says: orNull(both),
    from: orNull(text),
    target: text,
    unit: orNull(unit),
    vs: compared,
    actual: orNull(number),
    order: listOf(shape<NonNullable<Model.ClaimResult['order']>[number]>({ event: text, tMs: orNull(positive) })),
    held: flag,
    expected: flag,
    seeds: orNull(shape<NonNullable<Model.ClaimResult['seeds']>>({ of: count, held: count })),
  },
  ['order'],
);

/** What study.json looks like; also its order of keys. Published by `faultreel schema study`. */
export const studySchema: Schema & { readonly $schema: string; readonly $id: string; readonly title: string } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: studySchemaId,
  title: 'A faultreel study: the runs of one scenario and what they mean',
  ...(shape<Model.Study>({
    schema: { const: studySchemaId },
    tool: shape<Model.Study['tool']>({ name: { const: 'faultreel' }, version: text }),
    scenario,
    inputs: listOf(input),
    runs: { type: 'object', additionalProperties: run, minProperties: 1 },
    spread: orNull(seedSpread),
    sensitivity: orNull(mapOf(sensitivity)),
    sweeps: listOf(sweep),
    verdicts: listOf(verdict),
    claims: listOf(claim),
    firstToBreak,
  }) as Extract<Schema, { type: 'object' }>),
};
