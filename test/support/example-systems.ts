import type { Study } from '../../src/study/types.js';
import { eventAt, scriptedSystem, type SystemLink, type SystemService } from './scripted-systems.js';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
/** Something that begins at a second. */
const from = (second: number, value: number, before = 0) => (tick: number) => (tick >= second ? value : before);
const checks = { path: 'shared', everyMs: 10_000, firstMs: 3_000, timeoutMs: 1_000, unhealthyAfter: 3, healthyAfter: 1 } as const;
const pool = (max: number | null, more: Partial<NonNullable<SystemLink['pool']>> = {}): NonNullable<SystemLink['pool']> => ({ max, pending: null, waitMs: 30_000, reuse: null, handshakeMs: 0, ...more });

/** Three services on one box, six traffics, locks, a pool and a stock: a hot row. */
export const hotRow = (): Study =>
  scriptedSystem({
    title: 'Growth load on the first version',
    hosts: { box: { cpus: 2, memoryBytes: 4 * gibibyte, cpuCores: from(8, 1.93, 0.9), usedBytes: 1.4 * gibibyte, saturated: from(10, 1) } },
    services: {
      nginx: { kind: 'balancer', host: 'box', rateLimit: { perS: 300, burst: 200, delay: false, scope: 'service' }, each: [{ slots: 18, cpuCores: 0.03 }] },
      backend: {
        host: 'box', cpus: 1, slots: 200, queueLimit: 100, memoryLimitBytes: 768 * mebibyte,
        each: [{ slots: from(8, 64, 9), queue: 0, cpuCores: from(8, 0.99, 0.4), memoryBytes: from(8, 690 * mebibyte, 430 * mebibyte), connections: (tick) => 40 * tick, throttled: from(8, 0.35), saturated: from(10, 1) }],
      },
      mysql: { kind: 'store', host: 'box', cpus: 0.5, stock: { seat: 9, 'pot-seat': 0 }, each: [{ slots: 10, cpuCores: 0.42 }] },
    },
    traffic: {
      reads: { perS: 50, limit: 500, dropped: from(12, 4) },
      chat: { kind: 'sockets', perS: 14, present: (tick) => 40 * tick, delivered: { made: 52, missed: from(10, 2) } },
      joins: { kind: 'bursts', perS: (tick) => (tick % 10 === 8 ? 50 : 0), declined: (tick) => (tick % 10 === 8 ? 41 : 0) },
      participant: { isJourney: true, perS: 1 },
      recruiter: { isJourney: true, perS: 1 },
      taxi: { isJourney: true, perS: 1, failed: from(14, 1) },
    },
    links: {
      'reads.nginx': { perS: 50, refused: from(10, 6) },
      'chat.nginx': { perS: 14 },
      'joins.nginx': { perS: (tick) => (tick % 10 === 8 ? 50 : 0) },
      'participant.nginx': { perS: 4 },
      'recruiter.nginx': { perS: 2 },
      'taxi.nginx': { perS: 1 },
      'nginx.backend': { perS: 70, refused: from(10, 6) },
      'backend.mysql': { perS: 210, pool: pool(10), inUse: from(8, 10, 3), waiting: from(8, 47) },
    },
    locks: { 'mysql.companion': { held: from(8, 1), waiting: from(8, 41) }, 'mysql.user': { held: 1, waiting: 0 }, 'mysql.pot': { held: 1, waiting: 2 } },
    events: [eventAt(9, 'lock-timeout', 'mysql.companion', 'wait', { waitMs: 50_000, waiting: 41 }), eventAt(10, 'saturated', 'box', 'cpu', { level: 1.93, limit: 2, sinceMs: 8000 }, 'estimated'), eventAt(10, 'saturated', 'mysql.companion', 'lock', { level: 0.99, limit: 1, sinceMs: 8000 })],
    phases: { control: [1, 6], treatment: [8, 20] },
  });

/** A sidecar in every pod of the application, behind a gateway that opens a connection for each request. */
export const churn = (pods = 1): Study =>
  scriptedSystem({
    title: 'maxRequestsPerConnection: 1',
    services: {
      loadbox: { cpus: 4, each: [{ slots: 400, cpuCores: 3.9, saturated: 1 }] },
      gateway: { kind: 'balancer', cpus: 2, each: [{ slots: 200, cpuCores: 1.1 }] },
      sidecar: { beside: 'app', cpus: 2, each: Array.from({ length: pods }, () => ({ slots: 1, cpuCores: 0.95 })) },
      app: { cpus: 2, slots: 200, each: Array.from({ length: pods }, () => ({ slots: 1, cpuCores: 0.08 })) },
    },
    traffic: { load: { kind: 'closed', perS: 5000, refused: 4150, present: 400 } },
    links: {
      'load.loadbox': { perS: 5000, refused: 4150 },
      'loadbox.gateway': { perS: 5000, refused: 4150 },
      'gateway.sidecar': { perS: 850, policy: 'two-choices', pool: pool(100, { pending: 100, reuse: 1, handshakeMs: 115 }), inUse: 100, waiting: 100, opened: 850 },
      'sidecar.app': { perS: 850 },
    },
    phases: { steady: [3, 20] },
  });

/** Latency on one service's pods while it lasts, four traffics, a second way to the same gateway, retries, and nobody left in rotation. */
export const slowPods = (): Study =>
  scriptedSystem({
    title: 'Pod network latency: 250 ms and 500 ms',
    services: {
      ingress: { kind: 'balancer', each: [{ slots: 34 }] },
      membership: { slots: 200, each: [{ slots: 17, cpuCores: 0.2 }, { slots: 15, cpuCores: 0.2, connections: 0 }] },
      redis: { kind: 'store', slots: 1, each: [{ slots: 1, queue: 2, cpuCores: 0.01 }] },
      partner: { kind: 'external', each: [{ slots: 1 }] },
      shop: { each: [{ slots: 4 }] },
    },
    traffic: {
      locust: { kind: 'closed', perS: from(5, 15, 350), present: 40, refused: from(14, 10) },
      subscribers: { perS: 2 },
      guests: { perS: 2 },
      leavers: { perS: 0.2 },
    },
    links: {
      'locust.ingress': { perS: from(5, 15, 350), refused: from(14, 10) },
      'leavers.ingress': { perS: 0.2 },
      'subscribers.shop': { perS: 2 },
      'guests.shop': { perS: 2 },
      'shop.ingress': { perS: 4 },
      'ingress.membership': { perS: from(5, 19, 354), policy: 'two-choices', health: checks, beliefs: [from(14, 2, 1), from(16, 2, 1)] },
      'membership.redis': { perS: from(5, 190, 3500), pool: pool(32), inUse: 20, retried: from(6, 12), retries: 3 },
      'membership.partner': { perS: 0.2 },
    },
    events: [eventAt(5, 'fault', 'pod-latency', 'latency', { target: 'membership' }), eventAt(14, 'ejected', 'membership.1', 'timeout', { link: 'ingress.membership', bad: 3, inRotation: 1 }), eventAt(16, 'ejected', 'membership.2', 'timeout', { link: 'ingress.membership', bad: 3, inRotation: 0 }), eventAt(18, 'fault-end', 'pod-latency', 'latency', { target: 'membership' })],
    phases: { steady: [1, 5], fault: [5, 18] },
  });

/** From the release to when it is called off. */
const launched = { state: (tick: number) => (tick >= 8 && tick < 14 ? 1 : 0), bootLeftMs: (tick: number) => (tick >= 8 && tick < 14 ? (14 - tick) * 1000 : 0) };

/** Event loops on one box, and a blue-green release of them. */
export const oneBox = (): Study =>
  scriptedSystem({
    title: 'One box, one API process or two',
    hosts: { box: { cpus: 1.85, memoryBytes: 2 * gibibyte, cpuCores: 1.84, usedBytes: 0, saturated: 1 } },
    services: {
      caddy: { kind: 'balancer', host: 'box', each: [{ slots: 390, cpuCores: 0.42 }] },
      api: {
        host: 'box', slots: 1, slotsHeld: 'cpu', rateLimit: { perS: 1000, burst: 1000, delay: false, scope: 'instance' }, instancesAtStart: 2, instancesMax: 4,
        each: [{ slots: 1, queue: 170, cpuCores: 0.52 }, { slots: 1, queue: 180, cpuCores: 0.52 }, launched, launched],
      },
      mysql: { kind: 'store', host: 'box', each: [{ slots: 4, cpuCores: 0.33 }] },
    },
    traffic: { readers: { kind: 'closed', perS: 640, present: 400, scripted: [{ atMs: 0, value: 400, basis: 'chosen' }, { atMs: 20_000, value: 400, basis: 'chosen' }] } },
    links: {
      'readers.caddy': { perS: 640 },
      'caddy.api': { perS: 640, policy: 'least-outstanding', health: checks, beliefs: [1, 1, 0, 0] },
      'api.mysql': { perS: 320, pool: pool(10), inUse: 4 },
    },
    events: [eventAt(8, 'fault', 'release', 'deploy', { target: 'api' }), eventAt(14, 'rolled-back', 'api', 'blue-green', { failing: 1 })],
    phases: { 'readers-400': [0, 20] },
  });

/** A queue with workers, a cache, breakers, an outlier, a frozen instance and a link that is cut: what the other systems lack. */
export const oddParts = (): Study =>
  scriptedSystem({
    title: 'Every other part',
    services: {
      edge: { kind: 'balancer', each: [{ slots: 40 }] },
      web: { slots: 16, queueLimit: 50, cpus: 2, memoryLimitBytes: gibibyte, each: [{ slots: 8, cpuCores: 0.7, memoryBytes: 300 * mebibyte }, { slots: 16, queue: 30, cpuCores: 0, frozen: from(6, 1), memoryBytes: 300 * mebibyte }, { slots: 9, cpuCores: 0.8, memoryBytes: 310 * mebibyte }] },
      prices: { kind: 'cache', each: [{ slots: 1 }] },
      mail: { kind: 'queue', each: [{ slots: 0, queue: (tick) => 20 * tick }] },
      sender: { kind: 'worker', consumes: 'mail', slots: 2, each: [{ slots: 2 }, { slots: 2 }] },
      smtp: { kind: 'external', each: [{ slots: 4 }] },
    },
    traffic: { visitors: { perS: 120, failed: from(6, 30) } },
    links: {
      'visitors.edge': { perS: 120, failed: from(6, 30) },
      'edge.web': { perS: 120, failed: from(6, 30), outlier: { errors: 5, everyMs: 10_000, ejectMs: 30_000, maxEjected: 0.5 }, beliefs: [1, from(10, 4, 1), 1] },
      'web.prices': { perS: 90, failed: from(8, 40), breaker: { errors: 0.5, windowMs: 10_000, minimum: 20, openMs: 30_000 }, breakerIs: from(8, 1) },
      'web.mail': { perS: 40 },
      'mail.sender': { perS: 20, kind: 'message' },
      'sender.smtp': { perS: 20, failed: from(9, 20), retried: from(9, 6), retries: 3 } satisfies SystemLink,
    },
    events: [eventAt(6, 'fault', 'stopped', 'freeze', { target: 'web.2' }), eventAt(8, 'breaker-open', 'web.prices', 'errors', { share: 0.6 }), eventAt(9, 'fault', 'provider-gone', 'blackhole', { target: 'sender.smtp' }), eventAt(10, 'ejected', 'web.2', 'outlier', { link: 'edge.web', bad: 5, inRotation: 2 })],
  });

/** Twelve services and sixty instances: a cell each. */
export const sixty = (): Study => {
  const fleet = (count: number, busy: number, more: Partial<SystemService> = {}): SystemService => ({ slots: 16, cpus: 2, ...more, each: Array.from({ length: count }, (_, i) => ({ slots: busy, cpuCores: busy / 10, ...(i === count - 1 && count > 9 ? { state: 1, bootLeftMs: 9000 } : {}) })) });
  const calls: Readonly<Record<string, number>> = {
    'shoppers.edge': 2400, 'edge.web': 2400, 'web.catalog': 1400, 'web.order-api': 362, 'web.cart': 603, 'web.auth': 482, 'catalog.search': 724, 'catalog.cache': 1400, 'catalog.catalog-db': 289, 'cart.cache': 600,
    'order-api.stock': 194, 'order-api.payment': 194, 'order-api.orders-db': 153,
  };
  return scriptedSystem({
    title: 'Checkout: payment +1.2 s',
    services: {
      edge: fleet(2, 4, { kind: 'balancer' }), web: fleet(8, 10), auth: fleet(4, 3), catalog: fleet(10, 6), 'order-api': { ...fleet(12, 16), queueLimit: 20 }, cart: fleet(6, 5),
      search: fleet(5, 8), stock: fleet(4, 3), payment: fleet(4, 16), cache: fleet(2, 5, { kind: 'cache' }), 'catalog-db': fleet(1, 6, { kind: 'store' }), 'orders-db': fleet(2, 2, { kind: 'store' }),
    },
    traffic: { shoppers: { perS: 2400, refused: 137, failed: 72 } },
    links: Object.fromEntries(Object.entries(calls).map(([name, perS]) => [name, { perS, ...(name === 'web.order-api' ? { refused: 137, failed: 31 } : name === 'order-api.payment' ? { failed: 41 } : {}) }])),
    events: [eventAt(4, 'fault', 'payment-slow', 'latency', { target: 'payment' }), eventAt(9, 'oom', 'order-api.4', 'memory limit', { lost: 31, running: 16, queued: 15, memoryBytes: gibibyte, limitBytes: gibibyte, recoveryMs: 20_000 }, 'estimated')],
  });
};

/** Lanes, with what may befall them and their links: a freeze, a used-up quota, an outlier, retries, a breaker, a fault on a link. */
export const troubledLanes = (): Study =>
  scriptedSystem({
    title: 'Four lanes in trouble',
    services: {
      alb: { kind: 'balancer', each: [{ slots: 20 }] },
      web: {
        cpus: 2, slots: 16, queueLimit: 40, memoryLimitBytes: gibibyte,
        each: [
          { slots: 9, cpuCores: 1.2, memoryBytes: 300 * mebibyte },
          { slots: 16, queue: 12, frozen: from(4, 1), memoryBytes: 300 * mebibyte },
          { slots: 16, queue: 5, cpuCores: 2, throttled: 0.4, saturated: 1, memoryBytes: 400 * mebibyte },
          { slots: 2, cpuCores: 0.1, memoryBytes: 200 * mebibyte },
        ],
      },
      db: { kind: 'store', slots: 20, each: [{ slots: 12 }] },
    },
    traffic: { visitors: { perS: 300, failed: from(4, 60) } },
    links: {
      'visitors.alb': { perS: 300, failed: from(4, 60) },
      'alb.web': { perS: 300, failed: from(4, 60), outlier: { errors: 5, everyMs: 10_000, ejectMs: 30_000, maxEjected: 0.5 }, beliefs: [1, 1, 1, from(8, 4, 1)] },
      'web.db': { perS: 240, retried: from(6, 30), retries: 3, breaker: { errors: 0.5, windowMs: 10_000, minimum: 20, openMs: 30_000 }, breakerIs: from(9, 1) },
    },
    events: [eventAt(4, 'fault', 'stopped', 'freeze', { target: 'web.2' }), eventAt(6, 'fault', 'lossy', 'loss', { target: 'web → db' }), eventAt(8, 'ejected', 'web.4', 'outlier', { link: 'alb.web', bad: 5, inRotation: 3 }), eventAt(9, 'breaker-open', 'web.db', 'errors', { share: 0.6 })],
    phases: { trouble: [4, 20] },
  });
