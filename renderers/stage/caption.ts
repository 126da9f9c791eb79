import type { DisplayState } from '../../src/text/stage.js';
import type { Glyph } from '../look/glyphs.js';

/** What just happened, or what holds: a bold lead, a plain rest, and the sign and health that it is about. */
export interface Caption {
  readonly lead: string;
  readonly rest: string;
  readonly glyph: Glyph;
  readonly tone: DisplayState;
  /** It says that nothing goes wrong. */
  readonly isCalm?: boolean;
}

/** Width that a caption may take, at its type size. */
export const captionRoom = 1760;
export const captionSize = 27;
