import type { Lang, Policy } from '../scenario/model.js';
import { captionWords, type CaptionWords } from './captions.js';

/** Everything that is written on the stage and its cards. Numbers arrive as text, already in their format. */
export interface StageWords {
  readonly state: Readonly<Record<DisplayState, string>>;
  readonly detail: {
    readonly saturated: string;
    readonly refusing: string;
    readonly healthy: string;
    readonly warming: (left: string) => string;
    readonly killed: (limit: string) => string;
    readonly crashed: string;
    readonly restarting: (left: string) => string;
    readonly gone: string;
    readonly checks: (passed: number, needed: number) => string;
    readonly booting: (checks: boolean) => string;
    readonly bootLeft: (left: string, total: string, guess: boolean) => string;
    readonly draining: (left: string) => string;
    readonly frozen: string;
    readonly outlier: string;
    readonly quota: (share: string) => string;
    readonly off: (number: number) => string;
  };
  readonly phase: string;
  readonly noPhase: string;
  readonly goal: string;
  readonly metricNow: (metric: string) => string;
  /** Share of good requests over the trailing time. */
  readonly goodNow: string;
  readonly metricPhase: (metric: string) => string;
  readonly metricSoFar: (metric: string) => string;
  readonly metricRow: (metric: string, goal: string) => string;
  readonly speedNote: (simulated: string) => string;
  readonly held: string;
  /** Infinity = until the reader goes on. */
  readonly heldNote: (seconds: number) => string;
  readonly seed: (seed: number) => string;
  readonly trafficKind: Readonly<Record<'open' | 'closed' | 'bursts' | 'sockets', string>>;
  readonly offered: string;
  readonly offeredMean: (window: string) => string;
  readonly goodShare: (share: string) => string;
  readonly policy: Readonly<Record<Policy, string>>;
  readonly rotation: string;
  readonly in: string;
  readonly out: string;
  readonly joining: string;
  readonly wrongly: string;
  readonly failingOpen: string;
  readonly nextCheck: (clock: string) => string;
  readonly most: (count: number) => string;
  readonly instances: (count: number) => string;
  readonly autoscaler: string;
  readonly fleet: (desired: number, running: number, booting: number) => string;
  readonly decision: (clock: string, metric: string, value: string, target: string, over: boolean, from: number, to: number) => string;
  readonly holds: (metric: string, value: string, target: string, limit: 'most' | 'least' | null, last: string) => string;
  readonly lastDecision: (clock: string, from: number, to: number) => string;
  readonly noDecision: (metric: string, target: string) => string;
  readonly slots: string;
  readonly queue: string;
  readonly cpu: string;
  readonly memory: string;
  readonly of: (total: string) => string;
  readonly lost: (count: string) => string;
  readonly lostWord: string;
  readonly lostParts: (running: string, queued: string) => string;
  readonly refusedShare: (share: string) => string;
  readonly failedShare: (share: string) => string;
  readonly failedCount: (count: string) => string;
  readonly failedAfterKill: (count: string) => string;
  readonly allFailed: string;
  readonly allRefused: string;
  readonly checksOnly: string;
  readonly moreInstances: (count: number) => string;
  readonly moreNodes: (count: number, names: string) => string;
  readonly counted: string;
  readonly thisTick: (tickS: string) => string;
  readonly meanOf: (span: string) => string;
  readonly lastTicks: (span: string) => string;
  readonly thisPhase: string;
  readonly soFar: string;
  readonly outcome: Readonly<Record<'offered' | 'good' | 'declined' | 'refused' | 'failed', string>>;
  readonly inFlightChange: string;
  readonly legend: Readonly<Record<'measured' | 'assumed' | 'counted' | 'estimated', string>>;
  readonly caption: CaptionWords;
}

/** What an instance looks like: health as the stage shows it. */
export type DisplayState = 'healthy' | 'warming' | 'saturated' | 'killed' | 'crashed' | 'restarting' | 'dead' | 'ejected' | 'joining' | 'booting' | 'draining' | 'frozen' | 'off';

const en: StageWords = {
  state: { healthy: 'healthy', warming: 'warming up', saturated: 'saturated', killed: 'OOM-killed', crashed: 'crashed', restarting: 'restarting', dead: 'dead', ejected: 'ejected', joining: 'joining', booting: 'booting', draining: 'draining', frozen: 'frozen', off: 'off' },
  detail: {
    saturated: 'at its ceiling',
    refusing: 'refuses requests',
    healthy: 'in rotation',
    warming: (left) => `≈ slow, ${left} more`,
    killed: (limit) => `≈ memory at ${limit}`,
    crashed: 'its process is gone',
    restarting: (left) => `≈ back in ${left}`,
    gone: 'does not come back',
    checks: (passed, needed) => `${passed} of ${needed} ${needed === 1 ? 'check' : 'checks'} passed`,
    booting: (checks) => (checks ? 'then its first check' : 'then it serves'),
    bootLeft: (left, total, guess) => `≈ ${left} left of ${guess ? 'an assumed ' : ''}${total}`,
    draining: (left) => `${left} still running`,
    frozen: 'stands still, answers nobody',
    outlier: 'its errors in a row',
    quota: (share) => `≈ CPU quota gone, ${share}`,
    off: (number) => `starts when desired is ${number}`,
  },
  phase: 'phase',
  noPhase: '–',
  goal: 'goal',
  metricNow: (metric) => `${metric} of good, last 10 s`,
  goodNow: 'good, last 10 s',
  metricPhase: (metric) => `${metric} this phase`,
  metricSoFar: (metric) => `${metric} so far`,
  metricRow: (metric, goal) => `${metric} ${goal}`,
  speedNote: (simulated) => `1 s of film = ${simulated}`,
  held: 'held',
  heldNote: (seconds) => (seconds === Infinity ? 'question' : `question, ${seconds} s`),
  seed: (seed) => `seed ${seed}`,
  trafficKind: { open: 'open arrivals', closed: 'users who wait', bursts: 'bursts', sockets: 'open sockets' },
  offered: 'offered',
  offeredMean: (window) => `offered, over ${window}`,
  goodShare: (share) => `${share} good`,
  policy: { 'round-robin': 'round robin', random: 'random', 'two-choices': 'best of two', 'least-outstanding': 'least outstanding', hash: 'by key' },
  rotation: 'its rotation',
  in: 'in',
  out: 'out',
  joining: 'not yet',
  wrongly: 'in, wrongly',
  failingOpen: 'fails open, to all',
  nextCheck: (clock) => `next check ${clock}`,
  most: (count) => `${count} at most`,
  instances: (count) => (count === 1 ? 'one instance' : `${count} instances`),
  autoscaler: 'autoscaler',
  fleet: (desired, running, booting) => `desired ${desired} · running ${running} · booting ${booting}`,
  decision: (clock, metric, value, target, over, from, to) => `${clock} ≈${metric} ${value} ${over ? 'over' : 'under'} the ${target} target → ${from} to ${to}`,
  holds: (metric, value, target, limit, last) => `≈${metric} now ${value}, target ${target}${limit === null ? '' : limit === 'most' ? ', no more allowed' : ', no fewer allowed'} · last ${last}`,
  lastDecision: (clock, from, to) => `${clock}, ${from} to ${to}`,
  noDecision: (metric, target) => `≈${metric} target ${target}, no decision yet`,
  slots: 'slots',
  queue: 'queue',
  cpu: 'CPU',
  memory: 'memory',
  of: (total) => `of ${total}`,
  lost: (count) => count,
  lostWord: 'lost in the kill',
  lostParts: (running, queued) => [running !== '0' || queued === '0' ? `${running} running` : '', queued === '0' ? '' : `${queued} queued`].filter(Boolean).join(' + '),
  refusedShare: (share) => `${share} refused`,
  failedShare: (share) => `${share} failed`,
  failedCount: (count) => `${count} failed`,
  failedAfterKill: (count) => `${count} sent after`,
  allFailed: 'all failed',
  allRefused: 'all refused',
  checksOnly: 'checks only',
  moreInstances: (count) => `and ${count} more ${count === 1 ? 'instance' : 'instances'}, not drawn`,
  moreNodes: (count, names) => `and ${count} more ${count === 1 ? 'part' : 'parts'}, not drawn: ${names}`,
  counted: 'counted',
  meanOf: (span) => `mean of ${span}`,
  thisTick: (tickS) => (tickS === '1 s' ? 'this second' : `these ${tickS}`),
  lastTicks: (span) => `in ${span}`,
  thisPhase: 'this phase',
  soFar: 'so far',
  outcome: { offered: 'offered', good: 'good', declined: 'declined', refused: 'refused', failed: 'failed' },
  inFlightChange: 'in-flight change',
  legend: { measured: 'measured', assumed: '≈ assumed', counted: 'counted in the run', estimated: '≈ by formula' },
  caption: captionWords.en,
};

const ko: StageWords = {
  state: { healthy: '정상', warming: '예열 중', saturated: '포화', killed: 'OOM 강제 종료', crashed: '비정상 종료', restarting: '재시작 중', dead: '종료됨', ejected: '제외됨', joining: '합류 대기', booting: '부팅 중', draining: '비우는 중', frozen: '멈춤', off: '꺼짐' },
  detail: {
    saturated: '처리 한계 도달',
    refusing: '요청 거부 중',
    healthy: '분배 대상',
    warming: (left) => `≈ 예열 중이라 느림, ${left} 남음`,
    killed: (limit) => `≈ 메모리 ${limit} 도달`,
    crashed: '프로세스가 사라짐',
    restarting: (left) => `≈ ${left} 후 복귀`,
    gone: '돌아오지 않음',
    checks: (passed, needed) => `검사 ${needed}회 중 ${passed}회 통과`,
    booting: (checks) => (checks ? '이후 첫 검사를 통과해야 합류' : '이후 바로 합류'),
    bootLeft: (left, total, guess) => `≈ ${guess ? '가정한 ' : ''}${total} 중 ${left} 남음`,
    draining: (left) => `${left}건 처리 중`,
    frozen: '멈춰서 응답하지 않음',
    outlier: '연속 오류로 제외',
    quota: (share) => `≈ CPU 할당량 소진 ${share}`,
    off: (number) => `목표가 ${number}대가 되면 기동`,
  },
  phase: '구간',
  noPhase: '–',
  goal: '목표',
  metricNow: (metric) => `성공 ${metric}, 최근 10초`,
  goodNow: '성공, 최근 10초',
  metricPhase: (metric) => `이 구간의 ${metric}`,
  metricSoFar: (metric) => `지금까지 ${metric}`,
  metricRow: (metric, goal) => `${metric} ${goal}`,
  speedNote: (simulated) => `영상 1초 = ${simulated}`,
  held: '정지',
  heldNote: (seconds) => (seconds === Infinity ? '질문' : `질문, ${seconds}초`),
  seed: (seed) => `시드 ${seed}`,
  trafficKind: { open: '개방형 도착', closed: '기다리는 사용자', bursts: '한꺼번에 도착', sockets: '열린 소켓' },
  offered: '유입',
  offeredMean: (window) => `유입, ${window} 평균`,
  goodShare: (share) => `${share} 성공`,
  policy: { 'round-robin': '돌아가며 분배', random: '무작위', 'two-choices': '둘 중 나은 쪽', 'least-outstanding': '최소 미처리 우선', hash: '키 기준' },
  rotation: '분배 대상',
  in: '포함',
  out: '제외',
  joining: '아직',
  wrongly: '포함 (오판)',
  failingOpen: 'fail-open: 전체로 전송',
  nextCheck: (clock) => `다음 검사 ${clock}`,
  most: (count) => `최대 ${count}대`,
  instances: (count) => `${count}대`,
  autoscaler: '오토스케일러',
  fleet: (desired, running, booting) => `목표 ${desired}대 · 가동 ${running}대 · 부팅 ${booting}대`,
  decision: (clock, metric, value, target, over, from, to) => `${clock} ≈${metric} ${value}, 목표 ${target} ${over ? '초과' : '미만'} → ${from}대에서 ${to}대로`,
  holds: (metric, value, target, limit, last) => `현재 ≈${metric} ${value}, 목표 ${target}${limit === null ? '' : limit === 'most' ? ', 최대 대수' : ', 최소 대수'} · 마지막 조정 ${last}`,
  lastDecision: (clock, from, to) => `${clock} ${from}→${to}대`,
  noDecision: (metric, target) => `≈${metric} 목표 ${target}, 아직 판단 없음`,
  slots: '슬롯',
  queue: '대기열',
  cpu: 'CPU',
  memory: '메모리',
  of: (total) => `/ ${total}`,
  lost: (count) => `${count}건`,
  lostWord: '종료로 유실',
  lostParts: (running, queued) => [running !== '0' || queued === '0' ? `처리 중 ${running}` : '', queued === '0' ? '' : `대기 ${queued}`].filter(Boolean).join(' + '),
  refusedShare: (share) => `${share} 거부`,
  failedShare: (share) => `${share} 실패`,
  failedCount: (count) => `${count}건 실패`,
  failedAfterKill: (count) => `이후 ${count}건 실패`,
  allFailed: '모두 실패',
  allRefused: '모두 거부',
  checksOnly: '검사만',
  moreInstances: (count) => `그 밖에 ${count}대는 그리지 않음`,
  moreNodes: (count, names) => `그 밖에 ${count}개는 그리지 않음: ${names}`,
  counted: '집계',
  meanOf: (span) => `${span} 평균`,
  thisTick: (tickS) => (tickS === '1초' ? '지금 1초' : `지금 ${tickS}`),
  lastTicks: (span) => `${span} 합계`,
  thisPhase: '이 구간',
  soFar: '지금까지',
  outcome: { offered: '유입', good: '성공', declined: '반려', refused: '거부', failed: '실패' },
  inFlightChange: '처리 중 증감',
  legend: { measured: '측정', assumed: '≈ 가정', counted: '실행에서 집계', estimated: '≈ 수식 추정' },
  caption: captionWords.ko,
};

export const stageWords: Readonly<Record<Lang, StageWords>> = { en, ko };
