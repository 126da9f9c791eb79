import type { Lang } from '../study/types.js';

/** Why a tick has its picture in the report. */
export type TurnKind = 'fault' | 'full' | 'kill' | 'out' | 'more' | 'help' | 'again' | 'release' | 'lock' | 'worst' | 'busiest';

/** Words beside the pictures of the run. */
export interface FrameWords {
  readonly title: string;
  readonly turn: Readonly<Record<TurnKind, string>>;
  /** The figures of the tick: `in this second`. */
  readonly inTick: (span: string) => string;
}

const en: FrameWords = {
  title: 'The turning points, as the film shows them',
  turn: { fault: 'The first fault', full: 'The first to be full', kill: 'The first kill', out: 'The first to be taken out', more: 'The first call for help', help: 'Help arrives', again: 'Kept again', release: 'The release', lock: 'The first wait that times out', worst: 'The worst tick', busiest: 'The busiest tick' },
  inTick: (span) => `In these ${span}`,
};

const ko: FrameWords = {
  title: '영상에서 뽑은 전환점',
  turn: { fault: '첫 장애', full: '가장 먼저 포화된 곳', kill: '첫 강제 종료', out: '첫 제외', more: '첫 확장 결정', help: '새 인스턴스 합류', again: '목표를 다시 지킴', release: '배포', lock: '첫 잠금 시간 초과', worst: '가장 나쁜 구간', busiest: '부하가 가장 큰 구간' },
  inTick: (span) => `${span} 동안`,
};

export const frameWords: Readonly<Record<Lang, FrameWords>> = { en, ko };
