import { listOf, mapOf, oneOf, orNull, shape, type Schema } from './json-schema.js';
import { claim, firstToBreak, seedSpread, sensitivity, sweep, verdict } from './judgements-schema.js';
import { picture } from './picture-schema.js';
import { text, number, positive, count, share, both, eventKind, override, input } from './schema-parts.js';
import { ticks } from './ticks-schema.js';
import type * as Model from './types.js';
import { studySchemaId, warningKinds } from './types.js';

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
const billed = { billedS: positive, extraS: positive, amount: orNull(positive) };
const cost = shape<Model.Cost>({
  services: mapOf(shape<Model.Cost['services'][string]>({ ...billed, machine: text })),
  amount: orNull(positive),
  currency: orNull(text),
  unknown: listOf(text),
  phases: mapOf(shape<Model.Cost['phases'][string]>({ services: mapOf(shape<Model.Billed>(billed)), amount: orNull(positive) })),
  survival: orNull(shape<NonNullable<Model.Cost['survival']>>({ fromMs: positive, extraS: positive, amount: orNull(positive) })),
});

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
