import type { Lang } from '../scenario/model.js';

/** What is written on the cards of a board, on its links and on what a fault hits. Numbers arrive as text. */
export interface BoardWords {
  /** In service, where there is no limit. */
  readonly running: string;
  /** Turns of an event loop. */
  readonly turns: string;
  readonly sockets: string;
  readonly pool: (callee: string) => string;
  /** Of a link whose caller and callee are seen. */
  readonly poolHere: (use: string) => string;
  readonly waiting: (count: string) => string;
  /** In the tick, but no longer at its end. */
  readonly waited: (count: string) => string;
  readonly perMinute: (count: string) => string;
  readonly held: (count: string) => string;
  readonly users: (count: string) => string;
  readonly open: (count: string) => string;
  readonly delivered: (perS: string) => string;
  readonly missed: (perS: string) => string;
  readonly dropped: (perS: string) => string;
  readonly droppedRow: string;
  readonly burst: string;
  readonly journey: string;
  readonly fromEach: (service: string) => string;
  readonly absent: string;
  readonly of: (count: string, state: string) => string;
  readonly machine: (name: string, cpus: string) => string;
  readonly cores: (cpus: string) => string;
  readonly onHost: (host: string, cpus: string | null) => string;
  readonly beside: (service: string) => string;
  readonly consumes: (queue: string) => string;
  readonly rateLimit: (perS: string, isEach: boolean) => string;
  readonly desired: (count: string) => string;
  readonly stock: (name: string, units: string) => string;
  readonly quota: (share: string) => string;
  readonly retries: (perS: string) => string;
  readonly opened: (perS: string) => string;
  /** Kept out by a balancer, of how many. */
  readonly out: (count: string, of: string) => string;
  readonly breaker: Readonly<Record<'open' | 'half-open', string>>;
  readonly fault: Readonly<Record<FaultVerb, string>>;
  readonly faultOf: (number: number, verb: string) => string;
  readonly faults: (first: string, more: number) => string;
  readonly host: (cpus: string, memory: string) => string;
  readonly hostState: Readonly<Record<'saturated' | 'fine', string>>;
  readonly pod: string;
  /** How a cell is read: number and state, and its two bars from above. */
  readonly cell: { readonly instance: string; readonly upper: string; readonly lower: string };
  /** The mark of a balancer that sends to what is not there. */
  readonly stillSent: string;
  /** So many instances are told by state. */
  readonly grouped: (count: string) => string;
  readonly outlier: string;
}
export type FaultVerb = 'crash' | 'slow' | 'steal' | 'freeze' | 'errors' | 'leak' | 'hog' | 'latency' | 'loss' | 'blackhole' | 'cut' | 'deploy';

const en: BoardWords = {
  running: 'running',
  turns: 'turn',
  sockets: 'sockets',
  pool: (callee) => `to ${callee}`,
  poolHere: (use) => `pool ${use}`,
  waiting: (count) => `+${count} wait`,
  waited: (count) => `${count} waited`,
  perMinute: (count) => `${count}/min`,
  held: (count) => `${count} held`,
  users: (count) => `${count} users`,
  open: (count) => `${count} open`,
  delivered: (perS) => `${perS} delivered`,
  missed: (perS) => `${perS} missed`,
  dropped: (perS) => `${perS} never sent`,
  droppedRow: 'never sent',
  burst: 'all at one instant',
  journey: 'journeys',
  fromEach: (service) => `in every ${service}`,
  absent: 'not in this variant',
  of: (count, state) => `${count} ${state}`,
  machine: (name, cpus) => `${name} · ${cpus} vCPU`,
  cores: (cpus) => `${cpus} vCPU`,
  onHost: (host, cpus) => (cpus === null ? `on ${host}` : `on ${host} · ${cpus} vCPU`),
  beside: (service) => `in every pod of ${service}`,
  consumes: (queue) => `takes from ${queue}`,
  rateLimit: (perS, isEach) => `≤ ${perS}${isEach ? ' each' : ''}`,
  desired: (count) => `≈ desired ${count}`,
  stock: (name, units) => `${units} ${units === '1' ? '' : '× '}${name} per key`,
  quota: (share) => `≈ quota used up ${share}`,
  retries: (perS) => `${perS} retries`,
  opened: (perS) => `${perS} opened`,
  out: (count, of) => `${count} of ${of} out`,
  breaker: { open: 'breaker open', 'half-open': 'breaker tries' },
  fault: { crash: 'crash', slow: 'slow', steal: 'CPU stolen', freeze: 'frozen', errors: 'errors', leak: 'leak', hog: 'memory hog', latency: 'latency', loss: 'packet loss', blackhole: 'black hole', cut: 'cut', deploy: 'deploying' },
  faultOf: (number, verb) => `#${number} ${verb}`,
  faults: (first, more) => (more === 0 ? first : `${first} +${more}`),
  host: (cpus, memory) => `${cpus} vCPU${memory ? ` · ${memory}` : ''}, shared`,
  hostState: { saturated: 'saturated', fine: 'room left' },
  pod: 'pod',
  cell: { instance: 'an instance', upper: 'slots', lower: 'CPU' },
  stillSent: 'still in rotation',
  grouped: (count) => `${count} instances, by state`,
  outlier: 'errors',
};

const ko: BoardWords = {
  running: '처리 중',
  turns: '차례',
  sockets: '소켓',
  pool: (callee) => `→ ${callee}`,
  poolHere: (use) => `풀 ${use}`,
  waiting: (count) => `+대기 ${count}`,
  waited: (count) => `최대 대기 ${count}건`,
  perMinute: (count) => `${count}/분`,
  held: (count) => `점유 ${count}`,
  users: (count) => `사용자 ${count}명`,
  open: (count) => `${count}개 열림`,
  delivered: (perS) => `전달 ${perS}`,
  missed: (perS) => `누락 ${perS}`,
  dropped: (perS) => `미발송 ${perS}`,
  droppedRow: '미발송',
  burst: '한꺼번에 도착',
  journey: '여정',
  fromEach: (service) => `${service}마다`,
  absent: '이 변형에는 없음',
  of: (count, state) => `${state} ${count}`,
  machine: (name, cpus) => `${name} · ${cpus} vCPU`,
  cores: (cpus) => `${cpus} vCPU`,
  onHost: (host, cpus) => (cpus === null ? `${host}에서 실행` : `${host}에서 실행 · ${cpus} vCPU`),
  beside: (service) => `${service} 파드마다`,
  consumes: (queue) => `${queue}에서 꺼냄`,
  rateLimit: (perS, isEach) => `${isEach ? '각 ' : ''}≤ ${perS}`,
  desired: (count) => `≈ 목표 ${count}대`,
  stock: (name, units) => `키당 ${name} ${units}`,
  quota: (share) => `≈ 할당량 소진 ${share}`,
  retries: (perS) => `재시도 ${perS}`,
  opened: (perS) => `새 연결 ${perS}`,
  out: (count, of) => `${of}대 중 ${count}대 제외`,
  breaker: { open: '차단기 열림', 'half-open': '차단기 시험 중' },
  fault: { crash: '비정상 종료', slow: '느려짐', steal: 'CPU 뺏김', freeze: '멈춤', errors: '오류', leak: '누수', hog: '메모리 점유', latency: '지연', loss: '패킷 손실', blackhole: '무응답', cut: '연결 끊김', deploy: '배포 중' },
  faultOf: (number, verb) => `#${number} ${verb}`,
  faults: (first, more) => (more === 0 ? first : `${first} 외 ${more}`),
  host: (cpus, memory) => `${cpus} vCPU${memory ? ` · ${memory}` : ''}, 공유`,
  hostState: { saturated: '포화', fine: '여유 있음' },
  pod: '파드',
  cell: { instance: '인스턴스 하나', upper: '슬롯', lower: 'CPU' },
  stillSent: '아직 분배 대상',
  grouped: (count) => `인스턴스 ${count}개, 상태별로`,
  outlier: '오류',
};

export const boardWords: Readonly<Record<Lang, BoardWords>> = { en, ko };
