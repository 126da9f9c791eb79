import type { Text } from '../model.js';

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The object without the keys that hold `undefined`: in the model, what is not there is absent. */
export const present = <T extends object>(object: T): Present<T> => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Present<T>;

/** A text that nobody wrote in two languages. */
export const sameText = (text: string): Text => ({ en: text, ko: text });
