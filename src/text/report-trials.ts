import type { Lang } from '../scenario/model.js';

/** Words of the pages on what was tried: sensitivity, seeds, sweeps. */
export interface TrialWords {
  /** A figure with its phase, and its variant where it is another one: `good in event`. */
  readonly figure: (metric: string, phase: string | null, variant: string | null) => string;
  readonly title: Readonly<Record<'sensitivity' | 'otherSwings' | 'everySwing' | 'turning' | 'firstToBreak' | 'seeds' | 'sweeps' | 'interval' | 'extremes' | 'median', string>>;
  readonly head: Readonly<Record<'turns' | 'end' | 'breaksFirst', string>>;
  readonly nothingBreaks: string;
  readonly nothingSaturated: string;
  readonly notMoved: string;
  readonly noRange: string;
  readonly movesNothing: string;
  /** How to measure it, where that was said of another guess. */
  readonly asFor: (name: string) => string;
  readonly alike: string;
  /** Head of a column of results with their 95 % intervals, and with their extremes where the seeds are too few for one. */
  readonly result: Readonly<Record<'interval' | 'extremes', string>>;
  /** Of what stands in grey under a figure. */
  readonly greyOverSeeds: string;
  /** An objective, and the resource that breaks it. */
  readonly because: (objective: string, service: string, resource: string) => string;
  readonly moves: (figure: string, low: string, high: string) => string;
  readonly turns: (figure: string, value: string, up: boolean) => string;
  readonly turnsAt: (value: string) => string;
  readonly kneeAt: (value: string) => string;
  readonly noKnee: string;
  /** Of a figure that no guess was moved for; with its seed where several ran. */
  readonly asWritten: (seed: number | null) => string;
}

const en: TrialWords = {
  figure: (metric, phase, variant) => `${metric}${phase === null ? '' : ` in ${phase}`}${variant === null ? '' : ` of ${variant}`}`,
  title: {
    sensitivity: 'What the guesses do to the verdicts',
    otherSwings: 'The other objectives',
    everySwing: 'Every guess on every objective',
    turning: 'Where a verdict turns',
    firstToBreak: 'What breaks first',
    seeds: 'Over several seeds',
    sweeps: 'One value over a range',
    interval: '95% interval of the median',
    extremes: 'lowest to highest',
    median: 'median',
  },
  head: { turns: 'moves, turns', end: 'at', breaksFirst: 'breaks first' },
  nothingBreaks: 'nothing breaks',
  nothingSaturated: 'nothing saturated',
  notMoved: 'not moved in this run',
  noRange: 'no range: not moved',
  movesNothing: 'moves no verdict',
  asFor: (name) => `as for ${name}`,
  alike: 'Measured likewise.',
  result: { interval: 'result, 95% interval', extremes: 'result, lowest–highest' },
  greyOverSeeds: 'in grey over all seeds',
  because: (objective, service, resource) => `${objective}, because of ${service} ${resource}`,
  moves: (figure, low, high) => `${figure}: ${low} to ${high}`,
  turns: (figure, value, up) => `turns ${figure} from ${value} ${up ? 'up' : 'down'}`,
  turnsAt: (value) => `turns ${value}`,
  kneeAt: (value) => `It bends most at ${value}.`,
  noKnee: 'It has no knee.',
  asWritten: (seed) => (seed === null ? 'as written' : `as written, under seed ${seed}`),
};

const ko: TrialWords = {
  figure: (metric, phase, variant) => `${variant === null ? '' : `${variant}, `}${phase === null ? '' : `${phase} 구간의 `}${metric}`,
  title: {
    sensitivity: '가정이 판정에 미치는 영향',
    otherSwings: '나머지 목표',
    everySwing: '모든 가정과 모든 목표',
    turning: '판정이 뒤집히는 값',
    firstToBreak: '가장 먼저 무너지는 곳',
    seeds: '여러 시드의 결과',
    sweeps: '값 하나를 범위에 걸쳐 바꾼 결과',
    interval: '중앙값의 95% 구간',
    extremes: '최소에서 최대',
    median: '중앙값',
  },
  head: { turns: '영향, 뒤집힘', end: '값', breaksFirst: '먼저 무너지는 곳' },
  nothingBreaks: '모두 달성',
  nothingSaturated: '포화된 자원 없음',
  notMoved: '이 실행에서는 바꿔 보지 않음',
  noRange: '범위가 없어 바꿔 보지 못함',
  movesNothing: '판정에 영향 없음',
  asFor: (name) => `${name} 항목과 같음`,
  alike: '측정 방법은 위와 같습니다.',
  result: { interval: '결과, 95% 구간', extremes: '결과, 최소–최대' },
  greyOverSeeds: '회색은 시드 전체의 값',
  because: (objective, service, resource) => `${objective}(원인: ${service} ${resource})`,
  moves: (figure, low, high) => `${figure}: ${low}에서 ${high}`,
  turns: (figure, value, up) => `${value} ${up ? '이상' : '이하'}이면 ${figure} 판정이 뒤집힘`,
  turnsAt: (value) => `${value}에서 뒤집힘`,
  kneeAt: (value) => `가장 크게 꺾이는 값: ${value}.`,
  noKnee: '뚜렷하게 꺾이는 곳이 없음.',
  asWritten: (seed) => (seed === null ? '파일 값' : `파일 값, 시드 ${seed}`),
};

export const trialWords: Readonly<Record<Lang, TrialWords>> = { en, ko };
