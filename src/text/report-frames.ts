import type { Lang } from '../study/types.js';

/** Why a tick has its picture in the report. */
export type TurnKind = 'fault' | 'full' | 'kill' | 'out' | 'more' | 'help' | 'again' | 'release' | 'lock' | 'worst' | 'busiest' | 'before' | 'end';

/** Words beside the pictures of the run. */
export interface FrameWords {
  readonly title: string;
  readonly turn: Readonly<Record<TurnKind, string>>;
  readonly figure: (now: string, label: string) => string;
  /** The figures of the tick. */
  readonly inTick: (clock: string, span: string, figures: string) => string;
  /** Of the cost table. */
  readonly total: string;
}

const en: FrameWords = {
  title: 'The turning points, as the film shows them',
  turn: { fault: 'The first fault', full: 'The first to be full', kill: 'The first kill', out: 'The first to be taken out', more: 'The first call for help', help: 'Help arrives', again: 'Kept again', release: 'The release', lock: 'The first wait that times out', worst: 'The worst tick', busiest: 'The busiest tick', before: 'Just before', end: 'At the end' },
  figure: (now, label) => `${now} ${label}`,
  inTick: (clock, span, figures) => `In the picture, at ${clock}, within ${span}: ${figures}.`,
  total: 'all',
};

const ko: FrameWords = {
  title: '영상에서 뽑은 전환점',
  turn: { fault: '첫 장애', full: '가장 먼저 포화된 곳', kill: '첫 강제 종료', out: '첫 제외', more: '첫 확장 결정', help: '새 인스턴스 합류', again: '목표를 다시 지킴', release: '배포', lock: '첫 잠금 시간 초과', worst: '가장 나쁜 구간', busiest: '부하가 가장 큰 구간', before: '직전', end: '마지막' },
  figure: (now, label) => `${label} ${now}`,
  inTick: (clock, span, figures) => `그림의 시각 ${clock}, ${span} 동안: ${figures}.`,
  total: '합계',
};

export const frameWords: Readonly<Record<Lang, FrameWords>> = { en, ko };
