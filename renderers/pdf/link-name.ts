import { clean } from './rich.js';

/** `alb → order-api`. */
export const linkName = (name: string, links: readonly { readonly caller: string; readonly callee: string }[]): string => {
  const link = links.find(({ caller, callee }) => `${caller}.${callee}` === name);
  return link ? `${clean(link.caller)} → ${clean(link.callee)}` : clean(name);
};
