import { splitSubject } from '../../../src/study/events.js';
import type { PictureLink, Study } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import type { Canvas, Drawing } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { clock, span } from '../../look/numbers.js';
import type { Theme } from '../../look/palette.js';
import { placeOfInstance } from '../board/card.js';
import { drawFaultsOn, faultsTag } from '../board/chips.js';
import { balanced, fitted, wrapped } from '../fit.js';
import type { Box, Frame } from '../frame.js';
import { drawDeadEnds } from '../links.js';
import { momentOf, sceneOf, type Moment, type Scene, type StageOptions } from '../scene.js';
import { drawStage } from '../stage.js';
import { matches, type Stop } from '../stops.js';

export interface HeldStop {
  readonly stop: Stop;
  /** 1-based, of how many that happen in this run. */
  readonly number: number;
  readonly of: number;
  readonly tick: number;
  /** Seconds of the hold that have passed; null = it is held until the reader asks for the answer. */
  readonly passedS: number | null;
}

/** The stage of the stop's tick under a scrim, what is asked about veiled, and the question with how long it is held. */
export const questionCard = (study: Study, variant: string, held: HeldStop, options: Pick<StageOptions, 'lang' | 'theme' | 'frame'>): Drawing => {
  const scene = sceneOf(study, variant, options.frame);
  const focus = focusOf(scene, held.stop);
  const moment = momentOf(study, variant, held.tick, { ...options, heldS: held.passedS === null ? Infinity : Math.round(held.stop.holdMs / 1000), veil: focus.veil, lit: focus.lit, caption: { lead: '', rest: '' } });
  const canvas = drawStage(moment);
  drawScrim(canvas, focus.windows, scrimOpacity[options.theme], moment);
  canvas.layer = 1;
  drawTags(canvas, focus.windows, moment);
  drawCard(canvas, held, focus, moment);
  return canvas.drawing();
};

interface Focus {
  readonly veil: readonly string[];
  readonly lit: readonly string[];
  /** Parts of the stage that stay lit. */
  readonly windows: readonly Box[];
  /** The link whose rotation is asked for. */
  readonly link: PictureLink | null;
}

/** What `about` names is veiled; without it, what the balancer of the event's service believes. */
const focusOf = (scene: Scene, stop: Stop): Focus => {
  const { layout, run } = scene;
  const event = 'kind' in stop.at ? run.eventLog.find((logged) => matches(logged, stop.at as { kind: string; subject: string })) : undefined;
  const subject = event ? splitSubject(event.subject) : null;
  const checking = subject ? (run.system.links.find((link) => link.callee === subject.service && link.health !== null) ?? null) : null;
  const veil = stop.about !== undefined ? [stop.about] : checking ? [checking.caller] : [];
  // Its list is asked for only when the question names the balancer.
  const link = stop.about !== undefined && stop.about === checking?.caller ? checking : null;
  const lane = event && subject?.instance && (layout.board !== null || layout.group?.service.name === subject.service) ? (placeOf(scene, event.subject) ?? undefined) : undefined;
  const asked = veil.flatMap((name) => placeOf(scene, name) ?? []);
  return {
    veil,
    lit: event && !veil.includes(event.subject) ? [event.subject] : [],
    // What stands within a window is lit by it: a hole in a hole would be dark again.
    windows: [...(lane && !asked.some((box) => holds(box, lane)) ? [grown(lane, 8)] : []), ...asked.map((box) => grown(box, 6))],
    link,
  };
};

const placeOf = ({ layout }: Scene, name: string): Box | null => {
  const { service, instance } = splitSubject(name);
  const card = layout.board?.cards.find((one) => one.name === service);
  if (card) return instance === null ? card.box : placeOfInstance(card, instance - 1);
  if (layout.group?.service.name === service) return instance === null ? layout.group.box : (layout.group.lanes[instance - 1] ?? null);
  return layout.nodes.find((node) => node.name === name || node.name === service)?.box ?? null;
};

const holds = (outer: Box, inner: Box): boolean => inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
const grown = ({ x, y, width, height }: Box, by: number): Box => ({ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by });

/** Dark ink shows through a light scrim more than light ink through a dark one. */
const scrimOpacity: Readonly<Record<Theme, number>> = { dark: 0.87, light: 0.94 };

const drawScrim = (canvas: Canvas, windows: readonly Box[], opacity: number, { scene: { frame }, palette }: Moment): void => {
  const holes = [...windows, ...frame.header.lit].map(({ x, y, width, height }) => `M${x} ${y}V${y + height}H${x + width}V${y}Z`).join('');
  canvas.path(`M0 0H${frame.width}V${frame.height}H0Z${holes}`, { fill: palette.scrim, opacity, evenOdd: true });
  for (const { x, y, width, height } of windows) canvas.rect(x, y, width, height, { stroke: palette.text2, strokeWidth: 2, radius: 13 });
};

/** Tags and dead ends on the edge of what is lit would be cut by the scrim: they are drawn over it again. */
const drawTags = (canvas: Canvas, windows: readonly Box[], moment: Moment): void => {
  const { board, group, nodes } = moment.scene.layout;
  const hosts = (board?.hosts ?? []).map(({ host, box }) => ({ name: host.name, box }));
  const parts = [...(board?.cards ?? []), ...hosts, ...(board ? [] : nodes), ...(group ? [{ name: group.service.name, box: group.box }] : [])];
  for (const { name, box } of parts) if (faultsTag(name, box, moment).some((tag) => windows.some((window) => touches(window, tag)))) drawFaultsOn(canvas, name, box, moment);
  if (group && windows.some((window) => holds(window, group.box))) drawDeadEnds(canvas, moment);
};

const touches = (one: Box, other: Box): boolean => one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

/** The card, and where it may lie: over part of the stage, or where calls run down, over what is below it. */
interface CardPlace {
  readonly width: number;
  readonly height: number;
  readonly pad: number;
  readonly at: readonly (readonly [number, number])[];
  readonly sizes: readonly (readonly [px: number, lines: number])[];
  readonly hint: { readonly size: number; readonly lines: number };
}
const places: Readonly<Record<Frame['name'], CardPlace>> = {
  landscape: { width: 1240, height: 420, pad: 44, at: [540, 640].flatMap((x) => [478, 540, 620, 126].map((y) => [x, y] as const)), sizes: [[56, 2], [48, 3], [40, 3], [34, 4], [28, 5]], hint: { size: 25, lines: 1 } },
  portrait: { width: 735, height: 446, pad: 30, at: [[24, 936]], sizes: [[44, 3], [38, 4], [34, 4], [30, 5], [26, 6]], hint: { size: 20, lines: 2 } },
};

/** The card lies where nothing lit is: under the lit windows, or over the stage's upper half. */
const cardBox = (windows: readonly Box[], { at, width, height }: CardPlace): Box => {
  const overlaps = (box: Box): number => windows.reduce((sum, window) => sum + Math.max(0, Math.min(box.x + box.width, window.x + window.width) - Math.max(box.x, window.x)) * Math.max(0, Math.min(box.y + box.height, window.y + window.height) - Math.max(box.y, window.y)), 0);
  return at.map(([x, y]): Box => ({ x, y, width, height })).reduce((best, place) => (overlaps(place) < overlaps(best) ? place : best));
};

const drawCard = (canvas: Canvas, held: HeldStop, focus: Focus, moment: Moment): void => {
  const { palette, lang, scene } = moment;
  const words = cardWords[lang];
  const place = places[scene.frame.name];
  const { pad, hint: { size: hintSize, lines: hintLines } } = place;
  const { x, y, width, height } = cardBox(focus.windows, place);
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.text2, strokeWidth: 2, radius: 16 });
  drawGlyph(canvas, 'pause', x + pad + 13, y + 62, 26, { color: palette.text, cut: palette.s1 });
  canvas.text(x + pad + 44, y + 70, words.stop(held.number, held.of), { size: 24, weight: 700 });
  canvas.text(x + width - pad, y + 70, words.heldAt(clock(held.tick * scene.tickMs)), { size: 22, fill: palette.text2, anchor: 'end' });
  drawAsk(canvas, held.stop.ask[lang], x + pad, y, width - 2 * pad, place.sizes);
  const hint = hintOf(focus, moment);
  const hinted = hint === null ? [] : hintLines === 1 ? [fitted(hint, hintSize, 400, width - 2 * pad)] : wrapped(hint, hintSize, 400, width - 2 * pad);
  hinted.forEach((line, i) => canvas.text(x + pad, y + height - 84 - (hinted.length - 1 - i) * hintSize * 1.3, line, { size: hintSize, fill: palette.text2, room: width - 2 * pad }));
  const { passedS } = held;
  if (passedS === null) return;
  const seconds = Math.max(1, Math.round(held.stop.holdMs / 1000));
  const room = width - 2 * pad - 230;
  const pitch = room / seconds;
  for (let k = 0; k < seconds; k++) canvas.rect(x + pad + k * pitch, y + height - 50, Math.max(2, pitch - 8), 14, { fill: k + 1 <= passedS ? palette.text : palette.s3, radius: 3 });
  canvas.text(x + width - pad, y + height - 34, words.goesOn(Math.max(1, seconds - Math.floor(passedS))), { size: 22, weight: 600, fill: palette.text2, anchor: 'end' });
};

/** A short question large, a long one smaller, so that it is still whole. */
const drawAsk = (canvas: Canvas, ask: string, x: number, y: number, room: number, sizes: CardPlace['sizes']): void => {
  for (const [size, most] of sizes) {
    const lines = balanced(ask, size, 700, room);
    if (lines.length > most && size > sizes.at(-1)![0]) continue;
    const leading = Math.round(size * 1.28);
    const height = (Math.min(lines.length, most) - 1) * leading;
    const first = y + askMiddle - height / 2 + size * 0.36;
    lines.slice(0, most).forEach((line, i) => canvas.text(x, first + i * leading, line, { size, weight: 700, room }));
    return;
  }
};
/** Between the head of the card and its hint. */
const askMiddle = 202;

const hintOf = ({ link, veil }: Focus, { lang, scene }: Moment): string | null => {
  const words = cardWords[lang];
  if (link?.health) return words.rotationHint(link.caller, span(link.health.everyMs, lang), link.health.unhealthyAfter);
  // Nothing of a source is veiled.
  return veil.some((name) => scene.run.system.services.some((service) => service.name === splitSubject(name).service)) ? words.veiledHint : null;
};
