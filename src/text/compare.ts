import type { Lang } from '../scenario/model.js';
import { withParticle } from './particles.js';

/** Words of a comparison: its film, its cards, its summary. Numbers and names arrive as text. */
export interface CompareWords {
  /** Under the title: what is compared, on what terms. */
  readonly variants: (count: number) => string;
  readonly scenarios: (count: number) => string;
  readonly seed: (seed: number | null) => string;
  readonly arrivals: Readonly<Record<'same' | 'script' | 'different', string>>;
  readonly changes: (count: number) => string;
  /** Of the header. */
  readonly goodNow: (what: string) => string;
  readonly latencyNow: (metric: string, what: string) => string;
  readonly minus: (minuend: string, subtrahend: string) => string;
  readonly bestWorst: string;
  readonly sideEnded: (letters: string) => string;
  /** Of a panel. */
  readonly perSGood: string;
  readonly unchanged: string;
  readonly notSet: string;
  /** Of a part of the system that one side has and another has not. */
  readonly has: string;
  readonly hasNot: string;
  readonly changed: string;
  readonly ended: (clock: string) => string;
  readonly inRotation: (count: number) => string;
  readonly wronglyIn: (count: number) => string;
  readonly failsOpen: string;
  readonly slotsOf: (used: string, total: string | null) => string;
  readonly queueOf: (count: string) => string;
  readonly coresOf: (used: string, total: string | null) => string;
  readonly moreServices: (count: number, states: string) => string;
  readonly moreChanges: (count: number) => string;
  readonly same: (sides: number) => string;
  readonly serving: (count: string) => string;
  /** Of the figures. */
  readonly phaseSoFar: (phase: string) => string;
  readonly soFar: string;
  readonly goodGoal: (goal: string) => string;
  readonly good: string;
  readonly fewer: (count: string, outcome: 'refused' | 'failed') => string;
  readonly more: (count: string, outcome: 'refused' | 'failed') => string;
  readonly asMany: (count: string, outcome: 'refused' | 'failed') => string;
  readonly otherPhase: string;
  /** Of the cards. */
  readonly compared: string;
  readonly against: (names: readonly string[]) => string;
  readonly question: (changes: number, relation: 'variants' | 'scenarios') => string;
  readonly whatChanges: string;
  readonly oneRunEach: string;
  readonly result: string;
  readonly phase: string;
  readonly objective: string;
  readonly difference: string;
  readonly wholeRun: string;
  readonly kept: string;
  readonly broken: string;
  readonly unknown: string;
  readonly moreRows: (count: number) => string;
  readonly noObjective: string;
  readonly start: string;
  /** The closing sentence. */
  readonly closing: ClosingWords;
  /** Of summary.md. */
  readonly summary: SummaryWords;
}

export interface ClosingWords {
  readonly good: (of: { readonly winner: string; readonly loser: string; readonly points: string; readonly phase: string | null; readonly whose: string | null; readonly more: string; readonly less: string; readonly also: string; readonly kept: string }) => string;
  readonly metric: (of: { readonly metric: string; readonly phase: string | null; readonly whose: string | null; readonly results: readonly (readonly [name: string, value: string])[]; readonly also: string; readonly kept: string }) => string;
  readonly several: (of: { readonly metric: string; readonly phase: string | null; readonly whose: string | null; readonly best: readonly [name: string, value: string]; readonly worst: readonly [name: string, value: string]; readonly apart: string; readonly kept: string }) => string;
  readonly also: (outcome: 'refused' | 'failed', count: string, fewer: boolean) => string;
  readonly kept: (names: readonly string[], of: number) => string;
  readonly none: string;
  readonly noneButEnds: (winner: string, loser: string, fewer: string, outcome: 'refused' | 'failed') => string;
  /** All have objectives, but some value of each is unknown. */
  readonly withoutJudged: (results: readonly (readonly [name: string, value: string])[]) => string;
  readonly withoutObjective: (results: readonly (readonly [name: string, value: string])[]) => string;
  readonly chance: string;
  readonly goodMetric: string;
}

interface SummaryWords {
  readonly title: (names: readonly string[]) => string;
  readonly terms: string;
  readonly inputs: string;
  readonly input: string;
  readonly objectives: string;
  readonly target: string;
  readonly ends: string;
  readonly traffic: string;
  readonly all: string;
  readonly side: string;
  readonly columns: Readonly<Record<'offered' | 'good' | 'declined' | 'refused' | 'failed' | 'inFlight' | 'share', string>>;
  readonly events: string;
  readonly event: string;
  readonly subject: string;
  readonly first: (count: string, clock: string) => string;
  readonly noEvents: string;
  readonly firstToBreak: string;
  readonly nothingBroke: string;
  /** Objectives that were broken and have no first moment. */
  readonly undated: (names: string) => string;
  readonly since: (resource: string, clock: string) => string;
  readonly noReport: string;
  readonly basisNote: string;
}

const listed = (names: readonly string[], and: string): string => (names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')}${and}${names.at(-1)}`);
const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const inWords = (count: number): string => numbers[count] ?? String(count);
const outcomes = { refused: 'refused', failed: 'failed' } as const;
const atFirst = (phase: string | null): string => (phase === null ? 'Over the whole run' : `In ${phase}`);
const inPhase = (phase: string | null): string => (phase === null ? 'over the whole run' : `in ${phase}`);

const en: CompareWords = {
  variants: (count) => `${inWords(count)} variants`,
  scenarios: (count) => `${inWords(count)} scenarios`,
  seed: (seed) => (seed === null ? 'different seeds' : `same seed ${seed}`),
  arrivals: { same: 'same arrivals', script: 'same script of load', different: 'not the same arrivals' },
  changes: (count) => (count === 1 ? 'one change' : `${inWords(count)} changes`),
  goodNow: (what) => `good now, ${what}`,
  latencyNow: (metric, what) => `${metric} now, ${what}`,
  minus: (minuend, subtrahend) => `${minuend} minus ${subtrahend}`,
  bestWorst: 'best and worst',
  sideEnded: (letters) => `${letters} ended`,
  perSGood: '/s good',
  unchanged: 'as the file has it',
  notSet: 'not set',
  has: 'there',
  hasNot: 'not there',
  changed: 'changed',
  ended: (clock) => `ended at ${clock}, stands still`,
  inRotation: (count) => `${count} in rotation`,
  wronglyIn: (count) => `${count} wrongly in`,
  failsOpen: 'fails open',
  slotsOf: (used, total) => (total === null ? `running ${used}` : `slots ${used}/${total}`),
  queueOf: (count) => `queue ${count}`,
  coresOf: (used, total) => (total === null ? `≈${used} cores` : `≈${used} of ${total} cores`),
  moreServices: (count, states) => `and ${count} more: ${states}`,
  moreChanges: (count) => `and ${count} more`,
  same: (sides) => (sides === 2 ? 'In both:' : 'In all:'),
  serving: (count) => `${count} serving`,
  phaseSoFar: (phase) => `${phase} so far`,
  soFar: 'so far',
  goodGoal: (goal) => `good, goal ${goal}`,
  good: 'good',
  fewer: (count, outcome) => `${count} fewer ${outcomes[outcome]}`,
  more: (count, outcome) => `${count} more ${outcomes[outcome]}`,
  asMany: (count, outcome) => `${count} ${outcomes[outcome]} in both`,
  otherPhase: 'not in the same phase',
  compared: 'comparison, simulated',
  against: (names) => listed(names, ' against '),
  question: (changes, relation) => (relation === 'scenarios' ? 'Which of them holds, and where do they part?' : changes === 1 ? 'What does this one change do?' : 'What do these changes do?'),
  whatChanges: 'What is different',
  oneRunEach: 'one run each: part of a difference may be chance',
  result: 'What it does',
  phase: 'phase',
  objective: 'objective',
  difference: 'difference',
  wholeRun: 'whole run',
  kept: 'kept',
  broken: 'broken',
  unknown: 'unknown',
  moreRows: (count) => `and ${count} more in the summary`,
  noObjective: 'No objective that all sides have.',
  start: 'Start',
  closing: {
    good: ({ winner, points, phase, whose, more, less, also, kept }) => `${winner} keeps ${points} more ${whose === null ? '' : `of ${whose} `}good ${inPhase(phase)} (${more} against ${less})${also}${kept}.`,
    metric: ({ metric, phase, whose, results, also, kept }) => `${atFirst(phase)}, ${whose === null ? '' : `${whose} `}${metric} is ${listed(results.map(([name, value]) => `${value} in ${name}`), ' and ')}${also}${kept}.`,
    several: ({ metric, phase, whose, best, worst, apart, kept }) => `${atFirst(phase)}, ${whose === null ? '' : `${whose} `}${metric} is best in ${best[0]} (${best[1]}) and worst in ${worst[0]} (${worst[1]}), ${apart} apart${kept}.`,
    also: (outcome, count, fewer) => ` ${fewer ? 'and' : 'but'} ${outcome === 'failed' ? 'fails' : 'refuses'} ${count} ${fewer ? 'fewer' : 'more'}`,
    kept: (names, of) => (names.length === 0 ? `; ${of === 2 ? 'neither keeps' : 'none keeps'} the objective` : names.length === of ? `; ${of === 2 ? 'both' : 'all'} keep the objective` : `; only ${listed(names, ' and ')} ${names.length === 1 ? 'keeps' : 'keep'} the objective`),
    none: 'No difference in any objective.',
    noneButEnds: (winner, loser, fewer, outcome) => `No difference in any objective; ${winner} has ${fewer} fewer ${outcomes[outcome]} than ${loser}.`,
    withoutJudged: (results) => `No objective could be judged on all sides. Good over the whole run: ${listed(results.map(([name, value]) => `${value} in ${name}`), ' and ')}.`,
    withoutObjective: (results) => `No objective that all sides have. Good over the whole run: ${listed(results.map(([name, value]) => `${value} in ${name}`), ' and ')}.`,
    chance: 'The arrivals differ and each ran once: part of it may be chance.',
    goodMetric: 'the good share',
  },
  summary: {
    title: (names) => listed(names, ' against '),
    terms: 'Terms',
    inputs: 'What is different',
    input: 'input',
    objectives: 'Objectives',
    target: 'target',
    ends: 'How requests ended',
    traffic: 'traffic',
    all: 'all',
    side: 'side',
    columns: { offered: 'offered', good: 'good', declined: 'declined', refused: 'refused', failed: 'failed', inFlight: 'in flight', share: 'good of valid' },
    events: 'Events that not all sides have',
    event: 'event',
    subject: 'where',
    first: (count, clock) => `${count} (first ${clock})`,
    noEvents: 'Every kind of event that one side has, the others have as well.',
    firstToBreak: 'First to break',
    nothingBroke: 'nothing broke',
    undated: (names) => `no first moment is known: ${names} broken`,
    since: (resource, clock) => `${resource} saturated since ${clock}`,
    noReport: 'There is no report.pdf of this comparison: the report compares variants of one scenario. Each side has its study beside this file; `faultreel render` makes its own report.',
    basisNote: 'Counted in the simulation, but for what carries ≈. Differences are those of the figures as printed.',
  },
};

const koOutcomes = { refused: '거부', failed: '실패' } as const;
const koPhase = (phase: string | null): string => (phase === null ? '전체 실행에서' : `${phase} 구간에서`);

const ko: CompareWords = {
  variants: (count) => `변형 ${count}개`,
  scenarios: (count) => `시나리오 ${count}개`,
  seed: (seed) => (seed === null ? '시드 서로 다름' : `같은 시드 ${seed}`),
  arrivals: { same: '같은 요청 도착', script: '같은 부하 설정', different: '요청 도착이 서로 다름' },
  changes: (count) => `바뀐 설정 ${count}개`,
  goodNow: (what) => `지금 성공, ${what}`,
  latencyNow: (metric, what) => `지금 ${metric}, ${what}`,
  minus: (minuend, subtrahend) => `${minuend} − ${subtrahend}`,
  bestWorst: '최고와 최저',
  sideEnded: (letters) => `${letters} 종료`,
  perSGood: '/s 성공',
  unchanged: '파일 그대로',
  notSet: '없음',
  has: '있음',
  hasNot: '없음',
  changed: '변경',
  ended: (clock) => `${clock}에 끝나 멈춰 있음`,
  inRotation: (count) => `분배 대상 ${count}대`,
  wronglyIn: (count) => `오판 ${count}대`,
  failsOpen: 'fail-open',
  slotsOf: (used, total) => (total === null ? `처리 중 ${used}` : `슬롯 ${used}/${total}`),
  queueOf: (count) => `대기열 ${count}`,
  coresOf: (used, total) => (total === null ? `≈${used}코어` : `${total}코어 중 ≈${used}`),
  moreServices: (count, states) => `그 밖에 ${count}개: ${states}`,
  moreChanges: (count) => `외 ${count}개`,
  same: (sides) => (sides === 2 ? '둘 다:' : '모두:'),
  serving: (count) => `가동 ${count}대`,
  phaseSoFar: (phase) => `${phase} 지금까지`,
  soFar: '지금까지',
  goodGoal: (goal) => `성공, 목표 ${goal}`,
  good: '성공',
  fewer: (count, outcome) => `${koOutcomes[outcome]} ${count}건 적음`,
  more: (count, outcome) => `${koOutcomes[outcome]} ${count}건 많음`,
  asMany: (count, outcome) => `${koOutcomes[outcome]} 둘 다 ${count}건`,
  otherPhase: '서로 다른 구간',
  compared: '시뮬레이션으로 하는 비교',
  against: (names) => names.join(' 대 '),
  question: (changes, relation) => (relation === 'scenarios' ? '어느 쪽이 버티고, 어디서 갈릴까요?' : changes === 1 ? '이 설정 하나가 무엇을 바꿀까요?' : '이 설정들이 무엇을 바꿀까요?'),
  whatChanges: '무엇이 다른가',
  oneRunEach: '한 번씩만 실행: 차이의 일부는 우연일 수 있음',
  result: '결과',
  phase: '구간',
  objective: '목표',
  difference: '차이',
  wholeRun: '전체',
  kept: '달성',
  broken: '미달',
  unknown: '알 수 없음',
  moreRows: (count) => `그 밖에 ${count}개는 요약에`,
  noObjective: '모두에게 공통인 목표가 없습니다.',
  start: '시작',
  closing: {
    good: ({ winner, loser, points, phase, whose, more, less, also, kept }) => `${koPhase(phase)} ${whose === null ? '' : `${whose} `}성공률은 ${withParticle(winner, '이/가')} ${loser}보다 ${points} 높습니다(${more} 대 ${less}).${also}${kept}`,
    metric: ({ metric, phase, whose, results, also, kept }) => `${koPhase(phase)} ${whose === null ? '' : `${whose} `}${metric}: ${results.map(([name, value]) => `${name} ${value}`).join(', ')}.${also}${kept}`,
    several: ({ metric, phase, whose, best, worst, apart, kept }) => `${koPhase(phase)} ${whose === null ? '' : `${whose} `}${metric}: 가장 좋은 쪽은 ${best[0]}(${best[1]}), 가장 나쁜 쪽은 ${worst[0]}(${worst[1]}), 차이 ${apart}.${kept}`,
    also: (outcome, count, fewer) => ` ${koOutcomes[outcome]}도 ${count}건 ${fewer ? '적습니다' : '많습니다'}.`.replace('도', fewer ? '도' : '는'),
    kept: (names, of) => (names.length === 0 ? ` ${of === 2 ? '둘 다' : '모두'} 목표에 못 미칩니다.` : names.length === of ? ` ${of === 2 ? '둘 다' : '모두'} 목표를 지킵니다.` : ` ${names.join(', ')}만 목표를 지킵니다.`),
    none: '어떤 목표에서도 차이가 없습니다.',
    noneButEnds: (winner, loser, fewer, outcome) => `어떤 목표에서도 차이가 없습니다. ${koOutcomes[outcome]}은 ${withParticle(winner, '이/가')} ${loser}보다 ${fewer}건 적습니다.`.replace('실패은', '실패는'),
    withoutJudged: (results) => `모든 쪽에서 판정할 수 있는 목표가 없습니다. 전체 실행의 성공률: ${results.map(([name, value]) => `${name} ${value}`).join(', ')}.`,
    withoutObjective: (results) => `모두에게 공통인 목표가 없습니다. 전체 실행의 성공률: ${results.map(([name, value]) => `${name} ${value}`).join(', ')}.`,
    chance: '요청 도착이 서로 다르고 한 번씩만 실행했으므로, 차이의 일부는 우연일 수 있습니다.',
    goodMetric: '성공률',
  },
  summary: {
    title: (names) => names.join(' 대 '),
    terms: '비교 조건',
    inputs: '무엇이 다른가',
    input: '입력',
    objectives: '목표',
    target: '기준',
    ends: '요청은 어떻게 끝났나',
    traffic: '트래픽',
    all: '전체',
    side: '구분',
    columns: { offered: '유입', good: '성공', declined: '반려', refused: '거부', failed: '실패', inFlight: '처리 중', share: '유효 요청 중 성공' },
    events: '한쪽에만 있는 사건',
    event: '사건',
    subject: '위치',
    first: (count, clock) => `${count}회 (처음 ${clock})`,
    noEvents: '한쪽에 있는 사건 종류는 다른 쪽에도 있습니다.',
    firstToBreak: '가장 먼저 벗어난 목표',
    nothingBroke: '벗어난 목표 없음',
    undated: (names) => `처음 깨진 시점은 알 수 없음: ${names} 미달`,
    since: (resource, clock) => `${clock}부터 ${resource} 포화`,
    noReport: '이 비교에는 report.pdf가 없습니다. 보고서는 한 시나리오의 변형만 비교합니다. 각 실행의 study가 이 파일 옆에 있으니 `faultreel render`로 각각의 보고서를 만들 수 있습니다.',
    basisNote: '≈가 붙지 않은 값은 시뮬레이션에서 집계했습니다. 차이는 표시된 값끼리의 차이입니다.',
  },
};

export const compareWords: Readonly<Record<Lang, CompareWords>> = { en, ko };
