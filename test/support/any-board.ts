import type { Study } from '../../src/study/types.js';
import { eventAt, scriptedSystem, type SystemLink, type SystemService, type SystemTraffic } from './scripted-systems.js';

/** Ticks of every such study: quiet, trouble that begins, all kinds of it, and the end. */
export const boardTicks = 6;

const kinds = ['service', 'service', 'service', 'store', 'cache', 'queue', 'worker', 'external', 'balancer'] as const;
const names = ['api', 'web', 'orders', 'payment-gateway', 'the-service-that-takes-all-orders', 'db', 'x', 'session-cache', 'recommendation-engine-v2', 'auth', 'mail', 'search'];
const hangul = ['주문 서비스', '결제', '회원 인증과 권한 관리 서비스', '상품 검색', '알림 발송기', '재고'];
const verbs = ['crash', 'slow', 'freeze', 'errors', 'latency', 'blackhole', 'deploy', 'hog'] as const;

/**
 * A system of any size and shape, by number: 1 to 30 parts in chains, fans and meshes, 1 to 130 instances of them, names short, long and Korean, shared machines, pods, locks, pools, checks, breakers; in trouble from
 * the third tick on. Its columns are written and not simulated.
 */
export const anyBoard = (number: number): Study => {
  const draw = drawsOf(number);
  const parts = [1, 2, 3, 4, 5, 6, 8, 12, 18, 30][number % 10];
  const most = [1, 3, 8, 24, 60, 130][Math.floor(number / 10) % 6];
  const ids = Array.from({ length: parts }, (_, i) => `${names[draw(names.length)]}-${i}`.replace(/^x-/, 'x'));
  const hosts = draw(4) === 0 ? Array.from({ length: 1 + draw(parts > 8 ? 7 : 3) }, (_, i) => `box-${i + 1}`) : [];
  const services: Record<string, SystemService> = {};
  ids.forEach((id, i) => {
    const count = draw(3) === 0 ? 1 + draw(most) : most > 24 && i > 2 ? 1 + draw(6) : 1 + draw(Math.min(most, 12));
    const beside = hosts.length === 0 && i > 0 && draw(9) === 0 && services[ids[i - 1]].beside == null ? ids[i - 1] : null;
    const kind = kinds[draw(kinds.length)];
    const title = draw(3) === 0 ? { ko: hangul[draw(hangul.length)], en: id } : { ko: id, en: id };
    const size = beside ? services[beside].each!.length : count;
    services[id] = {
      kind,
      title,
      beside,
      host: hosts.length > 0 && draw(2) === 0 ? hosts[draw(hosts.length)] : null,
      slots: draw(3) === 0 ? null : 1 + draw(300),
      queueLimit: draw(2) === 0 ? 50 + draw(900) : null,
      cpus: draw(3) === 0 ? null : 2,
      memoryLimitBytes: draw(3) === 0 ? 2 ** 30 : null,
      rateLimit: draw(8) === 0 ? { perS: 1000, burst: 10, delay: false, scope: 'instance' } : null,
      each: Array.from({ length: size }, (_, k) => {
        const trouble = draw(5);
        const from = (value: number, before = 0) => (tick: number) => (tick >= 2 ? value : before);
        return {
          slots: from(draw(40), 2),
          queue: from(draw(3) === 0 ? draw(90) : 0),
          cpuCores: draw(200) / 100,
          memoryBytes: draw(2) === 0 ? draw(900) * 2 ** 20 : 0,
          connections: draw(9) === 0 ? 1200 : 0,
          saturated: from(trouble === 0 ? 1 : 0),
          frozen: from(trouble === 1 && k % 3 === 0 ? 1 : 0),
          state: trouble === 2 && k % 2 === 1 ? (tick: number) => [2, 2, 3, 3, 1, 2][tick] : trouble === 3 && k > 0 && k % 4 === 0 ? (tick: number) => [0, 1, 1, 2, 4, 0][tick] : 2,
          downLeftMs: 9000,
          bootLeftMs: 61_000,
          throttled: draw(12) === 0 ? 0.4 : 0,
        };
      }),
    };
  });
  const links: Record<string, SystemLink> = {};
  const traffic: Record<string, SystemTraffic> = {};
  Array.from({ length: draw(5) === 0 ? 1 + draw(9) : 1 + draw(3) }, (_, i) => {
    const name = ['users', 'partners', 'the-night-batch', 'chat', 'cron'][i % 5] + (i > 4 ? String(i) : '');
    const perS = [0.2, 14, 250, 9400][draw(4)];
    traffic[name] = { perS, ...(draw(4) === 0 ? { kind: 'closed', present: 400 } : {}), failed: (draw(2) * perS) / 10, declined: draw(6) === 0 ? perS / 4 : 0, dropped: draw(7) === 0 ? 3 : 0 };
    links[`${name}.${ids[draw(Math.min(parts, 3))]}`] = { perS };
  });
  // Everyone is called by somebody before it: a chain, a fan, or both.
  const shape = draw(3);
  ids.forEach((id, i) => {
    if (i === 0) return;
    const caller = shape === 0 ? ids[i - 1] : shape === 1 ? ids[draw(Math.min(i, 2))] : ids[draw(i)];
    links[`${caller}.${id}`] = anyLink(draw);
    if (shape === 2 && draw(2) === 0) links[`${ids[draw(i)]}.${id}`] ??= anyLink(draw);
    if (draw(12) === 0) links[`${id}.${ids[draw(i)]}`] ??= anyLink(draw);
  });
  if (Object.keys(links).every((name) => !name.endsWith(`.${ids[0]}`))) links[`${Object.keys(traffic)[0]}.${ids[0]}`] = { perS: 90 };
  const hit = ids[draw(parts)];
  const hitLink = Object.keys(links)[draw(Object.keys(links).length)];
  return scriptedSystem({
    title: number % 7 === 0 ? 'A title that is long enough to meet whatever stands beside it in the header' : 'Any board',
    ticks: boardTicks,
    hosts: Object.fromEntries(hosts.map((name) => [name, { cpus: 2, memoryBytes: 2 ** 32, cpuCores: 1.93, usedBytes: draw(2) * 2 ** 31, saturated: (tick: number) => Number(tick > 2) }])),
    services,
    traffic,
    links,
    locks: draw(4) === 0 ? { [`${ids.at(-1)!}.rows`]: { held: 1, waiting: 41 }, [`${ids.at(-1)!}.accounts-of-all-customers`]: { held: 1, waiting: 0 } } : {},
    events: [
      eventAt(2, 'fault', 'first', verbs[draw(verbs.length)], { target: draw(2) === 0 ? hit : `${hit}.1` }),
      eventAt(3, 'fault', 'second', draw(2) === 0 ? 'blackhole' : 'loss', { target: hitLink }),
      eventAt(3, 'oom', `${hit}.1`, 'memory limit', { lost: 31, running: 16, queued: 15, memoryBytes: 2 ** 30, limitBytes: 2 ** 30, recoveryMs: 20_000 }, 'estimated'),
      ...(hosts.length > 0 ? [eventAt(4, 'fault', 'third', 'steal', { target: hosts[0] })] : []),
    ],
    phases: { before: [0, 2], trouble: [2, 6] },
  });
};

const anyLink = (draw: Draw): SystemLink => {
  const perS = [0.3, 40, 900, 2400][draw(4)];
  return {
    perS: draw(9) === 0 ? (tick) => (tick % 2 === 0 ? perS : 0) : perS,
    refused: draw(4) === 0 ? (tick) => (tick % 2 === 0 ? perS * 0.3 : 0) : 0,
    failed: draw(4) === 0 ? (tick) => (tick % 2 === 0 ? perS * 0.1 : 0) : 0,
    retried: draw(5) === 0 ? 12 : 0,
    ...(draw(5) === 0 ? { pool: { max: 20, pending: null, waitMs: 1000, reuse: draw(2) === 0 ? 1 : null, handshakeMs: 0 }, inUse: 20, waiting: 47, opened: 850 } : {}),
    ...(draw(6) === 0 ? { breaker: { errors: 0.5, windowMs: 10_000, minimum: 20, openMs: 30_000 }, breakerIs: (tick: number) => Number(tick > 2) } : {}),
    ...(draw(5) === 0 ? { health: { path: 'shared', everyMs: 10_000, firstMs: 3_000, timeoutMs: 1_000, unhealthyAfter: 3, healthyAfter: 1 }, beliefs: [1, (tick: number) => (tick > 2 ? 2 : 1), (tick: number) => (tick > 3 ? 4 : 1)] } : {}),
  };
};

/** A whole number below `below`. */
type Draw = (below: number) => number;

/** The same draws for the same number, on every machine (mulberry32). */
const drawsOf = (seed: number): Draw => {
  let state = (seed + 1) * 0x9e3779b1;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
};
