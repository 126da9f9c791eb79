import type { PictureLink } from '../../../src/study/types.js';
import { boardWords } from '../../../src/text/board.js';
import { textWidth } from '../../look/text-width.js';
import { nameOf, type Structure } from '../structure.js';
import { hasRate, opensAgain } from './routes.js';

/** What may ever be written where the calls of a link arrive: above it and below it, and how much room that takes; the same in every tick and language. */
export interface LinkWords {
  readonly hasRate: boolean;
  /** Lines below. */
  readonly notes: number;
  /** px along the link. */
  readonly width: number;
}

export const labelInset = 14;
/** Beside the words of a note: its sign. */
export const noteSign = 24;

export const linkWords = (link: PictureLink, structure: Structure, roomInset: number, tellsBelief: boolean): LinkWords => {
  const peak = structure.peaks.links.get(nameOf(link));
  const isRated = hasRate(link, structure);
  const notes = Object.values(boardWords).map((words) => [
    ...(peak && peak.retries > 0 ? [words.retries('888/s')] : []),
    ...(peak && peak.opened > 0 && opensAgain(link) ? [words.opened('888/s')] : []),
    ...(link.breaker ? [words.breaker['half-open']] : []),
    ...(tellsBelief && believesApart(link, structure) ? [words.out('88', '88')] : []),
    ...(peak?.isHit ? [words.fault.blackhole] : []),
  ]);
  const widths = notes.flat().map((text) => textWidth(text, 16, 600) + noteSign);
  return { hasRate: isRated, notes: notes[0].length, width: Math.max(isRated ? textWidth('8.8k/s', 16, 600) : 0, ...widths, 0) + labelInset + roomInset };
};

/** What its caller believes of its targets can differ from what they are. */
export const believesApart = (link: PictureLink, { services }: Structure): boolean => (link.health !== null || link.outlier !== null) && (services.find(({ name }) => name === link.callee)?.instancesMax ?? 1) > 1;

/** The edge of a room that a link enters is not written over. */
export const roomInsetOf = ({ caller, callee }: PictureLink, { services }: Structure, roomEdge: number): number => {
  const roomsOf = (name: string): readonly string[] =>
    services.flatMap((service) => (service.name === name && service.host !== null ? [service.host] : service.beside !== null && (service.name === name || service.beside === name) ? [`${service.name} beside ${service.beside}`] : []));
  return roomsOf(callee).some((room) => !roomsOf(caller).includes(room)) ? roomEdge : 0;
};
