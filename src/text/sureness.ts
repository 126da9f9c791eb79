import type { Lang } from '../scenario/model.js';

/** Words that say how sure a verdict is and why, in film, report, terminal and summary alike. `to` is what the verdict turns to. */
export interface SurenessWords {
  readonly sure: Readonly<Record<'firm' | 'hinges' | 'untested', string>>;
  /** No guess moves the figure at an end; what it is with all at their worst together. */
  readonly unmoved: (worst: string | null) => string;
  /** One end after the other was tried, then all at their worst: what it is there. */
  readonly holds: (ranges: number, worst: string | null) => string;
  /** It turns at a value of one guess, towards the higher or the lower end. */
  readonly turns: (to: 'kept' | 'broken', name: string, value: string, up: boolean) => string;
  readonly alsoTurns: (others: number) => string;
  /** None turns it alone. */
  readonly together: (to: 'kept' | 'broken', guesses: number) => string;
  /** Before what was found under the first seed alone. */
  readonly firstSeed: string;
  readonly blind: string;
  readonly seeds: (kept: number, of: number) => string;
  readonly noRange: (count: number, names: string, more: boolean) => string;
  readonly unknownAt: (names: string) => string;
  /** Nothing was moved. */
  readonly notMoved: (count: number, names: string, more: boolean) => string;
}

const en: SurenessWords = {
  sure: { firm: 'firm', hinges: 'hinges', untested: 'untested' },
  unmoved: (worst) => (worst === null ? 'No guess moves it.' : `No guess moves it alone; with all at their worst it is ${worst}.`),
  holds: (ranges, worst) => `Holds at both ends of ${ranges === 1 ? 'one range' : `${ranges} ranges`}${worst === null ? '' : `, and with all at their worst (${worst})`}.`,
  turns: (to, name, value, up) => `${to === 'kept' ? 'Kept' : 'Broken'} from ${name} ${value} ${up ? 'up' : 'down'}.`,
  alsoTurns: (others) => `${others} more ${others === 1 ? 'turns' : 'turn'} it.`,
  together: (to, guesses) => `No guess turns it alone; ${to} where ${guesses === 2 ? 'both' : `all ${guesses}`} move together.`,
  firstSeed: 'Under the first seed:',
  blind: 'Its load was not made: nothing can be said.',
  seeds: (kept, of) => `Kept under ${kept} of ${of} seeds.`,
  noRange: (count, names, more) => `Rests on ${count === 1 ? 'a guess' : `${count} guesses`} without a range: ${names}${more ? ' …' : '.'}`,
  unknownAt: (names) => `Cannot be judged at an end of ${names}.`,
  notMoved: (count, names, more) => `Rests on ${count === 1 ? 'one guess' : `${count} guesses`}: ${names}${more ? ' …' : '.'}`,
};

const ko: SurenessWords = {
  sure: { firm: '확실함', hinges: '조건부', untested: '미검증' },
  unmoved: (worst) => (worst === null ? '어떤 가정에도 움직이지 않음.' : `하나씩 바꾸면 그대로, 모두 가장 불리한 값이면 ${worst}.`),
  holds: (ranges, worst) => `범위 ${ranges}개의 양 끝에서 그대로${worst === null ? '' : `, 모두 가장 불리한 값일 때도 그대로(${worst})`}.`,
  turns: (to, name, value, up) => `${name} ${value} ${up ? '이상' : '이하'}이면 ${to === 'kept' ? '달성' : '미달'}.`,
  alsoTurns: (others) => `이 밖에 ${others}개에도 달림.`,
  together: (to, guesses) => `하나만 바꾸면 그대로, ${guesses}개를 함께 옮기면 ${to === 'kept' ? '달성' : '미달'}.`,
  firstSeed: '첫 시드에서:',
  blind: '부하를 다 만들지 못해 판단할 수 없음.',
  seeds: (kept, of) => `시드 ${of}개 중 ${kept}개에서 달성.`,
  noRange: (count, names, more) => `범위 없는 가정 ${count}개에 의존: ${names}${more ? ' 등' : ''}.`,
  unknownAt: (names) => `${names}: 범위의 끝에서 판정할 수 없음.`,
  notMoved: (count, names, more) => `가정 ${count}개에 의존: ${names}${more ? ' 등' : ''}.`,
};

export const surenessWords: Readonly<Record<Lang, SurenessWords>> = { en, ko };
