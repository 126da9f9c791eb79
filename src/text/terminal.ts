import type { InstanceState, Lang } from '../study/types.js';
import { withParticle } from './particles.js';

/** The words of the terminal's table and of summary.md, in both languages. */
export interface TerminalWords {
  readonly time: string;
  readonly traffic: string;
  readonly offered: string;
  readonly good: string;
  readonly declined: string;
  readonly refused: string;
  readonly failed: string;
  readonly inFlight: string;
  readonly dropped: string;
  readonly p95: string;
  readonly p99: string;
  readonly instances: string;
  readonly states: Readonly<Record<InstanceState, string>>;
  /** Instances that some caller has taken out of rotation. */
  readonly out: (count: number) => string;
  readonly variant: string;
  readonly phase: string;
  readonly wholeRun: string;
  readonly objective: string;
  readonly objectives: string;
  readonly target: string;
  readonly actual: string;
  readonly verdict: string;
  readonly met: string;
  readonly missed: string;
  readonly unknownVerdict: string;
  /** Of a verdict on a load that was not made. */
  readonly blind: string;
  readonly asExpected: string;
  readonly unexpected: string;
  /** Of how many seeds the judged figures are the medians. */
  readonly overSeeds: (seeds: number, isInterval: boolean) => string;
  readonly sameFirst: (same: string, ends: string) => string;
  readonly measureFirst: string;
  /** Of a break that comes before its phase. */
  readonly before: (phase: string) => string;
  /** Under how many seeds the same breaks first, where not under all. */
  readonly underSeeds: (same: number, of: number) => string;
  /** Verdicts that rest on guesses without a range; of which variant, where there are several. */
  readonly untested: (count: number, of: number, variant: string | null, names: string, more: boolean) => string;
  readonly turns: (verdicts: string) => string;
  readonly moves: (verdict: string, low: string, high: string) => string;
  readonly sweep: string;
  readonly knee: string;
  /** A verdict of another variant than the one that is shown. */
  readonly ofVariant: (verdict: string, variant: string) => string;
  /** How many objectives are kept, and those that end otherwise than the file expects. */
  readonly objectivesKept: (kept: number, of: number, news: string) => string;
  /** How many claims end as the file says, and those that do not. */
  readonly claimsKept: (asTold: number, of: number, denied: string) => string;
  readonly claims: string;
  readonly claim: string;
  readonly inThisOrder: string;
  readonly held: string;
  readonly notHeld: string;
  readonly firstToBreak: string;
  readonly nothingBroke: string;
  /** Something is broken that is not followed through time; how much more of the kind. */
  readonly undated: (objective: string, actual: string, goal: string, more: number) => string;
  readonly nothingAsked: string;
  readonly noSample: string;
  readonly noResource: string;
  readonly saturatedSince: string;
  readonly resources: Readonly<Record<'cpu' | 'slots' | 'pool' | 'memory' | 'lock', string>>;
  readonly warning: string;
  /** Pushes to the sockets of a traffic. */
  readonly deliveries: (made: string, missed: string) => string;
  readonly totals: string;
  readonly ofValid: string;
  readonly conservation: string;
  readonly addsUp: string;
  readonly doesNotAddUp: string;
  readonly cost: string;
  readonly unknownPrice: string;
  readonly limits: string;
  readonly simulated: (requests: string, events: string, seed: number) => string;
  readonly basisNote: string;
}

const en: TerminalWords = {
  time: 'time',
  traffic: 'traffic',
  offered: 'offered',
  good: 'good',
  declined: 'declined',
  refused: 'refused',
  failed: 'failed',
  inFlight: 'in flight',
  dropped: 'dropped',
  p95: 'p95 (10 s)',
  p99: 'p99',
  instances: 'instances',
  states: { off: 'off', booting: 'booting', up: 'up', down: 'down', draining: 'draining' },
  out: (count) => `${count} out of rotation`,
  variant: 'variant',
  phase: 'phase',
  wholeRun: 'whole run',
  objective: 'objective',
  objectives: 'Objectives',
  target: 'target',
  actual: 'actual',
  verdict: 'verdict',
  met: 'kept',
  missed: 'broken',
  unknownVerdict: 'unknown: no sample',
  blind: 'says nothing: load not made',
  asExpected: 'as expected',
  unexpected: 'not expected',
  overSeeds: (seeds, isInterval) => `verdicts are judged by the median of ${seeds} seeds, with ${isInterval ? 'its 95% interval' : 'the lowest and the highest'}`,
  sameFirst: (same, ends) => `The same breaks first at ${same} of ${ends} ends of the ranges.`,
  measureFirst: 'Measure first',
  before: (phase) => `before ${phase} begins`,
  underSeeds: (same, of) => `so under ${same} of ${of} seeds`,
  untested: (count, of, variant, names, more) => `Untested: ${count} of ${of} verdicts${variant === null ? '' : ` of ${variant}`} rest on guesses without a range: ${names}${more ? ' …' : ''}`,
  turns: (verdicts) => `turns ${verdicts}`,
  moves: (verdict, low, high) => `moves ${verdict} from ${low} to ${high}, turns nothing alone`,
  sweep: 'Sweep',
  knee: 'knee',
  ofVariant: (verdict, variant) => `${verdict} of ${variant}`,
  objectivesKept: (kept, of, news) => `Objectives: ${kept} of ${of} kept; ${news === '' ? 'all as the file expects' : `not as the file expects: ${news}`}`,
  claimsKept: (asTold, of, denied) => `Claims: ${asTold} of ${of} as the file says${denied === '' ? '' : `; not so: ${denied}`}`,
  claims: 'Claims',
  claim: 'claim',
  inThisOrder: 'in this order',
  held: 'held',
  notHeld: 'NOT HELD',
  firstToBreak: 'First to break',
  nothingBroke: 'nothing: every objective held in every 10 s',
  undated: (objective, actual, goal, more) => `No first moment is known: ${objective} is broken: ${actual}, goal ${goal}${more > 0 ? `; and ${more} more` : ''}`,
  nothingAsked: 'unknown: the scenario has no objectives',
  noSample: 'unknown: no objective had a request to judge',
  noResource: 'no resource was saturated before',
  saturatedSince: 'saturated since',
  resources: { cpu: 'CPU', slots: 'slots', pool: 'connection pool', memory: 'memory', lock: 'lock' },
  warning: 'Warning',
  deliveries: (made, missed) => `${made} pushes delivered, ${missed} missed`,
  totals: 'Totals',
  ofValid: 'good of valid',
  conservation: 'Conservation',
  addsUp: 'adds up',
  doesNotAddUp: 'DOES NOT ADD UP',
  cost: 'Cost',
  unknownPrice: 'unknown: nobody gave a price for',
  limits: 'What this run does not prove',
  simulated: (requests, events, seed) => `${requests} requests, ${events} simulation events, seed ${seed}`,
  basisNote: 'Requests, outcomes and latencies are counted in the simulation; ≈ marks what a formula estimated. Nothing here was measured in a real system.',
};

const ko: TerminalWords = {
  time: '시각',
  traffic: '트래픽',
  offered: '유입',
  good: '성공',
  declined: '반려',
  refused: '거부',
  failed: '실패',
  inFlight: '처리 중',
  dropped: '미발송',
  p95: 'p95 (10초)',
  p99: 'p99',
  instances: '인스턴스',
  states: { off: '꺼짐', booting: '부팅 중', up: '가동', down: '중단', draining: '비우는 중' },
  out: (count) => `${count}대 제외됨`,
  variant: '변형',
  phase: '구간',
  wholeRun: '전체',
  objective: '목표',
  objectives: '목표',
  target: '기준',
  actual: '결과',
  verdict: '판정',
  met: '달성',
  missed: '미달',
  unknownVerdict: '알 수 없음: 표본 없음',
  blind: '판단 불가: 부하 미달',
  asExpected: '예상대로',
  unexpected: '예상 밖',
  overSeeds: (seeds, isInterval) => `판정은 시드 ${seeds}개의 중앙값으로 내리고 ${withParticle(isInterval ? '95% 구간' : '최소와 최대', '을/를')} 함께 적음`,
  sameFirst: (same, ends) => `범위의 끝값 ${ends}곳 중 ${same}곳에서 먼저 무너지는 곳이 같음.`,
  measureFirst: '먼저 측정할 것',
  before: (phase) => `${phase} 시작 전`,
  underSeeds: (same, of) => `시드 ${of}개 중 ${same}개에서 그러함`,
  untested: (count, of, variant, names, more) => `미검증: ${variant === null ? '' : `${variant}의 `}판정 ${of}개 중 ${count}개가 범위 없는 가정에 의존: ${names}${more ? ' 등' : ''}`,
  turns: (verdicts) => `뒤집히는 판정과 값: ${verdicts}`,
  moves: (verdict, low, high) => `${verdict}: ${low}에서 ${high}, 혼자서는 판정을 뒤집지 않음`,
  sweep: '값 변화',
  knee: '꺾이는 값',
  ofVariant: (verdict, variant) => `${variant}의 ${verdict}`,
  objectivesKept: (kept, of, news) => `목표: ${of}개 중 ${kept}개 달성, ${news === '' ? '모두 파일의 예상대로' : `예상과 다름: ${news}`}`,
  claimsKept: (asTold, of, denied) => `검증 항목: ${of}개 중 ${asTold}개가 파일대로${denied === '' ? '' : `, 다름: ${denied}`}`,
  claims: '검증 항목',
  claim: '검증 항목',
  inThisOrder: '이 순서대로',
  held: '성립',
  notHeld: '불성립',
  firstToBreak: '가장 먼저 무너진 것',
  nothingBroke: '없음: 모든 10초 구간에서 목표를 지켰습니다',
  undated: (objective, actual, goal, more) => `처음 깨진 시점은 알 수 없음: ${objective} 미달, ${actual} (목표 ${goal})${more > 0 ? `, 그 밖에 ${more}개` : ''}`,
  nothingAsked: '알 수 없음: 시나리오에 목표가 없습니다',
  noSample: '알 수 없음: 판정할 요청이 없습니다',
  noResource: '그 전에 포화된 자원이 없습니다',
  saturatedSince: '포화 시작',
  resources: { cpu: 'CPU', slots: '슬롯', pool: '커넥션 풀', memory: '메모리', lock: '잠금' },
  warning: '경고',
  deliveries: (made, missed) => `푸시 전달 ${made}건, 누락 ${missed}건`,
  totals: '합계',
  ofValid: '유효 요청 중 성공',
  conservation: '보존',
  addsUp: '일치',
  doesNotAddUp: '불일치',
  cost: '비용',
  unknownPrice: '알 수 없음: 가격이 없는 서비스',
  limits: '이 실행이 증명하지 않는 것',
  simulated: (requests, events, seed) => `요청 ${requests}건, 시뮬레이션 이벤트 ${events}건, 시드 ${seed}`,
  basisNote: '요청, 결과, 지연은 시뮬레이션에서 집계한 값이며 ≈ 는 수식으로 추정한 값입니다. 실제 시스템에서 측정한 값은 없습니다.',
};

export const terminalWords: Readonly<Record<Lang, TerminalWords>> = { en, ko };
