import { listOf, mapOf, orNull, shape, type Schema } from './json-schema.js';
import { positive, share } from './schema-parts.js';
import type * as Model from './types.js';
import { beliefs, breakerStates, instanceStates } from './ticks.js';

/** A constant column is a bare number. */
const columnOf = (value: Schema): Schema => ({ anyOf: [value, listOf(orNull(value))] });
const column = columnOf(positive);
const codeOf = (names: readonly unknown[]): Schema => columnOf({ type: 'integer', minimum: 0, maximum: names.length - 1 });
const levels = shape<Model.LevelColumns>({ mean: column, max: column, end: column });
const outcomes = { good: column, declined: column, refused: column, failed: column };

type TickTraffic = Model.Ticks['traffic'][string];
type TickService = Model.Ticks['services'][string];
type TickLink = Model.Ticks['links'][string];
export const ticks = shape<Model.Ticks>({
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
