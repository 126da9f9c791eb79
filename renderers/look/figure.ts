import type { Basis, Lang } from '../../src/scenario/model.js';
import { unknown, unlimited } from './numbers.js';

/** How a figure is known: an input's basis, or how the run came to it. */
export type Mark = Basis | 'counted' | 'estimated';

/** A number as it is printed, and the mark that goes with it wherever it goes. */
export interface Figure {
  readonly text: string;
  readonly mark: Mark;
}

/** Inputs as squares, outputs as circles: this order everywhere. */
export const inputMarks = ['measured', 'spec', 'chosen', 'assumed', 'default'] as const satisfies readonly Mark[];
export const outputMarks = ['counted', 'estimated'] as const satisfies readonly Mark[];
export const marks: readonly Mark[] = [...inputMarks, ...outputMarks];

/** Guesses are hatched or dashed, and `≈` stands before their figures. */
export const isGuess = (mark: Mark): boolean => mark === 'assumed' || mark === 'default' || mark === 'estimated';

/** The one way in which a figure comes to be printed: its text with `≈` where it is a guess, and its mark. Neither the unknown nor the unlimited is approximate. */
export const figure = (text: string, mark: Mark): Figure => ({ text: isGuess(mark) && !wholeWords.has(text) ? `≈${text}` : text, mark });

/** The words of the basis, in full. */
export const markName = (mark: Mark, lang: Lang): string => names[lang][mark];

const wholeWords: ReadonlySet<string> = new Set([...Object.values(unknown), ...Object.values(unlimited)]);

const names: Readonly<Record<Lang, Readonly<Record<Mark, string>>>> = {
  en: {
    measured: 'Measured in your system',
    spec: 'Stated by the maker',
    chosen: 'Chosen by you',
    assumed: 'Assumed',
    default: 'Filled in by the tool',
    counted: 'Counted in the simulation',
    estimated: 'Estimated by formula',
  },
  ko: {
    measured: '운영 시스템에서 측정',
    spec: '제조사 공표',
    chosen: '직접 설정',
    assumed: '가정',
    default: '도구가 채운 값',
    counted: '시뮬레이션에서 집계',
    estimated: '수식으로 추정',
  },
};
