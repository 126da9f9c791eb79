import { listOf, mapOf, oneOf, orNull, shape } from './json-schema.js';
import { text, flag, number, positive, count, both, basis, unit, metric, compared } from './schema-parts.js';
import type * as Model from './types.js';

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
export const picture = shape<Model.Picture>({
  hosts: listOf(pictureHost),
  services: listOf(pictureService),
  links: listOf(pictureLink),
  traffic: listOf(pictureTraffic),
  objectives: listOf(pictureObjective),
});
