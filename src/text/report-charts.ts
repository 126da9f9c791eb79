import type { Lang } from '../study/types.js';

/** Words of the report's charts that no table needs. */
export interface ChartWords {
  readonly logScale: string;
  readonly linearScale: string;
  readonly bad: string;
  readonly none: string;
  /** Without any latency. */
  readonly atOnce: string;
  /** Of the value of an input: `at 0.7`. */
  readonly at: (value: string) => string;
  readonly knee: (value: string) => string;
  readonly flips: (value: string) => string;
  readonly inUse: string;
  readonly waiting: string;
  readonly rest: (count: string) => string;
  readonly samples: (count: string) => string;
  readonly believes: Readonly<Record<'in' | 'out' | 'joining' | 'ejected', string>>;
  readonly title: Readonly<Record<'distribution' | 'latency' | 'states' | 'pools', string>>;
}

const en: ChartWords = {
  logScale: 'log scale',
  linearScale: 'linear scale',
  bad: 'refused, failed',
  none: 'none',
  atOnce: 'at once',
  at: (value) => `at ${value}`,
  knee: (value) => `knee at ${value}`,
  flips: (value) => `flips at ${value}`,
  inUse: 'in use',
  waiting: 'waiting',
  rest: (count) => `${count} more not shown`,
  samples: (count) => `${count} requests`,
  believes: { in: 'in', out: 'out', joining: 'joining', ejected: 'ejected' },
  title: { distribution: 'How latencies are distributed', latency: 'Latency over time', states: 'State of each instance', pools: 'Connections of each caller' },
};

const ko: ChartWords = {
  logScale: '로그 눈금',
  linearScale: '선형 눈금',
  bad: '거부, 실패',
  none: '없음',
  atOnce: '즉시',
  at: (value) => `(${value}일 때)`,
  knee: (value) => `무릎점 ${value}`,
  flips: (value) => `${value}에서 뒤집힘`,
  inUse: '사용',
  waiting: '대기',
  rest: (count) => `외 ${count}개 생략`,
  samples: (count) => `요청 ${count}건`,
  believes: { in: '투입', out: '빠짐', joining: '합류 대기', ejected: '제외' },
  title: { distribution: '지연 분포', latency: '시간에 따른 지연', states: '인스턴스별 상태', pools: '호출자별 커넥션' },
};

export const chartWords: Readonly<Record<Lang, ChartWords>> = { en, ko };
