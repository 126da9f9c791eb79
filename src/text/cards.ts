import type { Lang } from '../scenario/model.js';
import { particle, withParticle } from './particles.js';

/** Words of the title card, the question cards, the verdict card and the film's chapters. Numbers arrive as text. */
export interface CardWords {
  readonly tool: string;
  readonly goesIn: string;
  readonly inputs: Readonly<Record<'measured' | 'spec' | 'chosen' | 'assumed' | 'unexplained' | 'default', string>>;
  readonly fleet: (service: string, count: number, most: number, balancer: string | null) => string;
  readonly system: (services: number, instances: number, sources: number) => string;
  readonly otherSources: (names: string) => string;
  readonly goals: (goals: readonly string[]) => string;
  readonly users: (count: string) => string;
  readonly atOnce: (count: string) => string;
  readonly basis: Readonly<Record<'measured' | 'spec' | 'chosen' | 'assumed' | 'default', string>>;
  readonly stop: (number: number, of: number) => string;
  readonly heldAt: (clock: string) => string;
  readonly rotationHint: (caller: string, every: string, failures: number) => string;
  readonly veiledHint: string;
  readonly goesOn: (seconds: number) => string;
  readonly verdict: string;
  readonly breaksFirst: (what: string, clock: string) => string;
  readonly breaks: (objective: string, clock: string) => string;
  readonly nothingBreaks: string;
  /** What is broken where no first moment is known: the headline, and the figure below it. */
  readonly isBroken: (objective: string, phase: string | null) => string;
  readonly undated: (objective: string, phase: string | null, actual: string) => string;
  /** Nothing ended that some objective, or any, is about. */
  readonly someUnjudged: string;
  readonly noneJudged: string;
  readonly noObjective: string;
  readonly claimsHeld: (held: number, of: number) => string;
  readonly claim: string;
  readonly promised: string;
  readonly holds: string;
  readonly holdsNot: string;
  readonly resource: Readonly<Record<'cpu' | 'slots' | 'pool' | 'memory' | 'lock', string>>;
  readonly why: (name: string, what: string, since: string) => string;
  readonly whyNone: string;
  readonly brokenFrom: (objective: string, at: string) => string;
  readonly served: (offered: string, good: string, over: string) => string;
  /** The same as a sentence of its own. */
  readonly servedAfter: (offered: string, good: string, over: string) => string;
  /** What happened last before the break, nearly at once or some time before; of what came of what nothing is known. */
  readonly before: (isJust: boolean, at: string, what: string) => string;
  readonly story: (parts: readonly string[]) => string;
  readonly ejections: (count: string) => string;
  readonly refusedRequests: (count: string) => string;
  readonly lostInKills: (count: string) => string;
  readonly sentToDead: (count: string) => string;
  readonly otherwiseFailed: (count: string) => string;
  /** Where none was lost in a kill or sent to the dead. */
  readonly failedRequests: (count: string) => string;
  readonly variants: (what: string, phase: string | null, oneLine: boolean, results: readonly (readonly [string, string])[]) => string;
  readonly missedForAWhile: (objective: string, at: string) => string;
  readonly allRestOn: (names: string, more: number) => string;
  /** Heading of the guesses that matter most: how many of how many. */
  readonly guesses: (shown: number, of: number, isTested: boolean) => string;
  readonly notTestedYet: string;
  /** How they are ordered. */
  readonly byReach: string;
  readonly byTurn: string;
  readonly noRange: string;
  readonly cores: (count: string) => string;
  readonly between: (low: string, high: string) => string;
  /** Verdicts that rest on a guess, broken or any. */
  readonly reachesBroken: (count: number, of: number) => string;
  readonly reaches: (count: number, of: number) => string;
  readonly turnsAt: (value: string) => string;
  readonly wentWrong: (bad: string, offered: string, refused: string, failed: string) => string;
  readonly allWentWell: (offered: string) => string;
  readonly phase: string;
  readonly wholeRun: string;
  readonly objective: string;
  /** Of the figure that is judged: of one seed, or the median of several. */
  readonly result: (seeds: number) => string;
  readonly howSure: string;
  readonly kept: string;
  readonly broken: string;
  readonly unknown: string;
  readonly untestedNote: (names: string, more: number) => string;
  readonly moreRows: (count: number) => string;
  readonly requests: string;
  readonly start: string;
}

/** Kept in one line where the text around it is broken: a quoted objective, a number with what it counts. */
const together = (text: string): string => text.replaceAll(' ', '\u00A0');

const en: CardWords = {
  tool: 'incident rehearsal, simulated',
  goesIn: 'What goes in',
  inputs: { measured: 'measured', spec: 'from makers', chosen: 'chosen', assumed: 'assumed, with a reason', unexplained: 'assumed, unexplained', default: 'filled in' },
  fleet: (service, count, most, balancer) => `${count} × ${service}${balancer ? ` behind ${balancer}` : ''}${most > count ? `, ${most} at most` : ''}.`,
  system: (services, instances, sources) => `${services} ${services === 1 ? 'service' : 'services'} with ${instances} ${instances === 1 ? 'instance' : 'instances'} at most, ${sources} ${sources === 1 ? 'source' : 'sources'} of traffic.`,
  otherSources: (names) => `and ${names}`,
  goals: (goals) => `${goals.length === 1 ? 'Goal' : 'Goals'}: ${goals.join(', ')}.`,
  users: (count) => `${count} users`,
  atOnce: (count) => `${count} at once`,
  basis: { measured: 'measured', spec: 'from makers', chosen: 'chosen', assumed: 'assumed', default: 'filled in' },
  stop: (number, of) => `Stop ${number} of ${of}`,
  heldAt: (clock) => `film held at ${clock}`,
  rotationHint: (caller, every, failures) => `${caller} checks every ${every} and ejects after ${failures} ${failures === 1 ? 'failure' : 'failures in a row'}. Fill in its rotation.`,
  veiledHint: 'What is marked with ? is shown when the film goes on.',
  goesOn: (seconds) => `goes on in ${seconds} s`,
  verdict: 'Verdict',
  breaksFirst: (what, clock) => `${what} ${what.endsWith('s') ? 'break' : 'breaks'} first, at ${clock}.`,
  breaks: (objective, clock) => `${together(`“${objective}”`)} breaks at ${clock}.`,
  nothingBreaks: 'Every objective is kept.',
  isBroken: (objective, phase) => `${objective} is broken${phase === null ? '' : ` in ${phase}`}.`,
  undated: (objective, phase, actual) => `${together(`“${objective}”`)}: ${actual} ${phase === null ? 'over the whole run' : `in ${phase}`}. No first moment is known.`,
  someUnjudged: 'Every objective that could be judged is kept.',
  noneJudged: 'No objective could be judged.',
  noObjective: 'No objective is set.',
  claimsHeld: (held, of) => (held === of ? (of === 1 ? 'The one claim holds.' : `All ${of} claims hold.`) : `${held} of ${of} claims hold.`),
  claim: 'what the file claims',
  promised: 'claimed',
  holds: 'holds',
  holdsNot: 'does not hold',
  resource: { cpu: 'CPU', slots: 'Slots', pool: 'The connection pool', memory: 'Memory', lock: 'A lock' },
  why: (name, what, since) => `${name}: ${what} at the ceiling from ${since}.`,
  whyNone: 'No resource is saturated before that.',
  brokenFrom: (objective, at) => `${together(`“${objective}”`)} breaks at ${at}`,
  served: (offered, good, over) => `: over the next ${over}, ${together(`${offered} offered`)}, ${together(`${good} good`)}.`,
  servedAfter: (offered, good, over) => `In the ${over} after the break, ${together(`${offered} offered`)}, ${together(`${good} good`)}.`,
  before: (isJust, at, what) => `${isJust ? 'Just before' : 'Before that'}, at ${at}: ${what}`,
  story: (parts) => `In the whole run: ${parts.map(together).join(', ')}.`,
  ejections: (count) => `${count} ${count === '1' ? 'ejection' : 'ejections'}`,
  refusedRequests: (count) => `${count} requests refused`,
  lostInKills: (count) => `${count} lost in kills`,
  sentToDead: (count) => `${count} sent to dead processes`,
  otherwiseFailed: (count) => `${count} failed otherwise`,
  failedRequests: (count) => `${count} ${count === '1' ? 'request' : 'requests'} failed`,
  variants: (what, phase, oneLine, results) => `${phase === null ? 'In the same run' : `In the same phase, ${phase}`}, ${what}, ${oneLine ? 'with one line changed' : 'in other variants'}: ${results.map(([name, result]) => `${name} ${result}`).join(' · ')}`,
  missedForAWhile: (objective, at) => `${together(`“${objective}”`)} was missed for a while, seen at ${at}; over the phases that it is judged in it is kept.`,
  guesses: (shown, of, isTested) => (of <= shown ? (of === 1 ? 'The one guess that it rests on' : `The ${of} guesses that it rests on`) : `The ${shown} guesses that ${isTested ? '' : 'may '}matter most, of ${of}`),
  notTestedYet: 'not tested yet',
  byReach: 'ordered by what rests on them, then by the width of the range',
  byTurn: 'what turns a verdict first, then what moves a figure most',
  noRange: 'no range given',
  cores: (count) => `${count} ${count === '1' ? 'core' : 'cores'}`,
  between: (low, high) => `${low} to ${high}`,
  reachesBroken: (count, of) => (of === 1 ? 'the broken one rests on it' : `${count} of ${of} broken rest on it`),
  reaches: (count, of) => (of === 1 ? 'the verdict rests on it' : `${count} of ${of} verdicts rest on it`),
  turnsAt: (value) => `a verdict turns at ≈${value}`,
  allRestOn: (names, more) => `All of them rest on guesses: ${names}${more > 0 ? ` and ${more} more` : ''}`,
  wentWrong: (bad, offered, refused, failed) => `In the whole run ${bad} of ${offered} requests went wrong: ${refused} refused, ${failed} failed.`,
  allWentWell: (offered) => `In the whole run none of ${offered} requests went wrong.`,
  phase: 'phase',
  wholeRun: 'whole run',
  objective: 'objective',
  result: (seeds) => (seeds > 1 ? `result, median of ${seeds} seeds` : 'result'),
  howSure: 'how sure',
  kept: 'kept',
  broken: 'broken',
  unknown: 'unknown',
  untestedNote: (names, more) => `rests on ${names}${more > 0 ? ` and ${more} more` : ''}`,
  moreRows: (count) => `and ${count} more in the report`,
  requests: 'requests, whole run',
  start: 'Start',
};

const ko: CardWords = {
  tool: '시뮬레이션으로 하는 장애 예행연습',
  goesIn: '입력값의 근거',
  inputs: { measured: '측정', spec: '제조사', chosen: '설정', assumed: '가정, 이유 있음', unexplained: '가정, 이유 없음', default: '기본값' },
  fleet: (service, count, most, balancer) => `${balancer ? `${balancer} 뒤의 ` : ''}${service} ${count}대${most > count ? `, 최대 ${most}대` : ''}.`,
  system: (services, instances, sources) => `서비스 ${services}개, 인스턴스 최대 ${instances}대, 트래픽 ${sources}개.`,
  otherSources: (names) => `그 밖에 ${names}`,
  goals: (goals) => `목표: ${goals.join(', ')}.`,
  users: (count) => `사용자 ${count}명`,
  atOnce: (count) => `한꺼번에 ${count}건`,
  basis: { measured: '측정', spec: '제조사', chosen: '설정', assumed: '가정', default: '기본값' },
  stop: (number, of) => `질문 ${number}/${of}`,
  heldAt: (clock) => `${clock}에 영상 정지`,
  rotationHint: (caller, every, failures) => `${withParticle(caller, '은/는')} ${every}마다 검사하고 ${failures}회 연속 실패하면 제외합니다. 분배 대상을 채워 보세요.`,
  veiledHint: '?로 가린 부분은 영상이 이어지면 나옵니다.',
  goesOn: (seconds) => `${seconds}초 후 계속`,
  verdict: '판정',
  breaksFirst: (what, clock) => `${clock}, ${together(`${particleOf(what)} 가장 먼저`)} 한계에 닿습니다.`,
  breaks: (objective, clock) => `${clock}, ${together(`‘${objective}’`)} 목표를 벗어납니다.`,
  nothingBreaks: '모든 목표를 지켰습니다.',
  isBroken: (objective, phase) => `${phase === null ? '' : `${phase}에서 `}${withParticle(objective, '을/를')} 달성하지 못합니다.`,
  undated: (objective, phase, actual) => `${together(`‘${objective}’`)}: ${phase === null ? '실행 전체' : phase}에서 ${actual}. 처음 깨진 시점은 알 수 없습니다.`,
  someUnjudged: '판정할 수 있는 목표는 모두 지켰습니다.',
  noneJudged: '판정할 수 있는 목표가 없습니다.',
  noObjective: '정해진 목표가 없습니다.',
  claimsHeld: (held, of) => (held === of ? `검증 항목 ${of}개가 모두 맞습니다.` : `검증 항목 ${of}개 중 ${held}개가 맞습니다.`),
  claim: '파일의 검증 항목',
  promised: '파일에 적힌 값',
  holds: '맞음',
  holdsNot: '맞지 않음',
  resource: { cpu: 'CPU', slots: '슬롯', pool: '커넥션 풀', memory: '메모리', lock: '잠금' },
  why: (name, what, since) => `${name}: ${since}부터 ${particleOf(what)} 한계에 닿았습니다.`,
  whyNone: '그 전에 포화된 자원은 없습니다.',
  brokenFrom: (objective, at) => `${at}에 ${together(`‘${objective}’`)} 목표를 벗어났습니다`,
  served: (offered, good, over) => `. 이후 ${together(`${over} 동안`)} ${together(`${offered} 유입`)}, ${together(`${good} 성공`)}.`,
  servedAfter: (offered, good, over) => `벗어난 뒤 ${together(`${over} 동안`)} ${together(`${offered} 유입`)}, ${together(`${good} 성공`)}.`,
  before: (isJust, at, what) => `${isJust ? '직전인' : '그에 앞서'} ${at}, ${what}`,
  story: (parts) => `전체 실행: ${parts.map(together).join(', ')}.`,
  ejections: (count) => `제외 ${count}회`,
  refusedRequests: (count) => `거부 ${count}건`,
  lostInKills: (count) => `강제 종료로 유실 ${count}건`,
  sentToDead: (count) => `죽은 프로세스로 전송 ${count}건`,
  otherwiseFailed: (count) => `그 밖의 실패 ${count}건`,
  failedRequests: (count) => `실패 ${count}건`,
  variants: (what, phase, oneLine, results) => `${phase === null ? '전체 실행' : `${phase} 구간`}의 ${what}, ${oneLine ? '한 줄만 바꾸면' : '다른 변형'}: ${results.map(([name, result]) => `${name} ${result}`).join(' · ')}`,
  missedForAWhile: (objective, at) => `${at}에 잠시 ${together(`‘${objective}’`)} 목표를 벗어났지만, 판정 구간 전체로는 지켰습니다.`,
  guesses: (shown, of, isTested) => (of <= shown ? `판정이 달려 있는 가정 ${of}개` : `가장 중요${isTested ? '한' : '할 수 있는'} 가정 ${shown}개 (전체 ${of}개)`),
  notTestedYet: '아직 검증 전',
  byReach: '달려 있는 판정이 많은 순서, 그다음 범위가 넓은 순서',
  byTurn: '판정을 뒤집는 가정, 그다음 수치를 크게 움직이는 가정',
  noRange: '범위 없음',
  cores: (count) => `${count}코어`,
  between: (low, high) => `${low} ~ ${high}`,
  reachesBroken: (count, of) => (of === 1 ? '미달한 목표가 이 값에 달려 있음' : `미달 목표 ${of}개 중 ${count}개가 이 값에 달려 있음`),
  reaches: (count, of) => (of === 1 ? '판정이 이 값에 달려 있음' : `판정 ${of}개 중 ${count}개가 이 값에 달려 있음`),
  turnsAt: (value) => `≈${value}에서 판정이 바뀜`,
  allRestOn: (names, more) => `모두 같은 가정에 달려 있음: ${names}${more > 0 ? ` 외 ${more}개` : ''}`,
  wentWrong: (bad, offered, refused, failed) => `전체 실행에서 요청 ${offered}건 중 ${bad}건이 처리되지 못했습니다. 거부 ${refused}건, 실패 ${failed}건.`,
  allWentWell: (offered) => `전체 실행에서 요청 ${offered}건이 모두 잘 끝났습니다.`,
  phase: '구간',
  wholeRun: '전체',
  objective: '목표',
  result: (seeds) => (seeds > 1 ? `결과, 시드 ${seeds}개의 중앙값` : '결과'),
  howSure: '확실한 정도',
  kept: '달성',
  broken: '미달',
  unknown: '알 수 없음',
  untestedNote: (names, more) => `근거: ${names}${more > 0 ? ` 외 ${more}개` : ''}`,
  moreRows: (count) => `그 밖에 ${count}개는 보고서에`,
  requests: '전체 실행의 요청',
  start: '시작',
};

/** A word with the particle of its subject. */
const particleOf = (word: string): string => `${word}${particle(word, '이/가')}`;

export const cardWords: Readonly<Record<Lang, CardWords>> = { en, ko };
