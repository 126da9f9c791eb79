import type { PictureHost, PictureService } from '../../../src/study/types.js';
import type { DisplayState } from '../../../src/text/stage.js';
import { countedBar, estimatedBar } from '../bars.js';
import { instancesOf, meanOf, statesOf } from '../board/levels.js';
import { healthColors, healthGlyph, isDown } from '../display-state.js';
import { fitted } from '../fit.js';
import { linkFlow, windowS, type LinkFlow } from '../flows.js';
import type { Box } from '../frame.js';
import { drawFraction } from '../lane-levels.js';
import { severity, worstOf } from '../nodes.js';
import type { Moment, Scene } from '../scene.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { cores, count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { slotsText } from './beside.js';
import { changesAt, type CompareMoment, type SideMoment } from './compare-scene.js';
import { badText } from './half-lanes.js';
import { drawChangedChip } from './panel-head.js';

/** How much a card tells: every instance, all in sum, without what is in use, or one line. */
interface Form {
  readonly across: number;
  readonly height: number;
  readonly rows: 1 | 2 | 3;
  readonly hasInstances: boolean;
}

const gap = 8;
const chipRow = 26;
const instanceRow = 30;
const withInstances: Form = { across: 2, height: 62, rows: 2, hasInstances: true };
const forms: readonly Form[] = [
  ...[2, 3, 4].map((across) => ({ across, height: 84, rows: 3 as const, hasInstances: false })),
  ...[4, 5].map((across) => ({ across, height: 58, rows: 2 as const, hasInstances: false })),
  ...[4, 5].map((across) => ({ across, height: 32, rows: 1 as const, hasInstances: false })),
];

interface Plan {
  readonly form: Form;
  /** Place of each within the system's box. */
  readonly boxes: readonly Box[];
  readonly hasChips: boolean;
  /** Services and hosts in order of the calls; the same places on all sides. */
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** Every service as a card: how its instances are, what comes in, what goes wrong. What has no place is told in words. */
export const drawCards = (canvas: Canvas, side: SideMoment, compare: CompareMoment): void => {
  const { system } = compare.scene.places.sides[side.index];
  const plan = planOf(compare);
  const { services, hosts } = side.moment.scene.run.system;
  plan.shown.forEach((name, i) => {
    const own = plan.boxes[i];
    const box = { ...own, x: system.x + own.x, y: system.y + own.y };
    const service = services.find((candidate) => candidate.name === name);
    const host = hosts.find((candidate) => candidate.name === name);
    if (service) drawCard(canvas, box, service, plan, side, compare);
    else if (host) drawHost(canvas, box, host, plan, side, compare);
  });
  if (plan.hidden.length > 0) drawHidden(canvas, { ...system, y: system.y + system.height - 20 }, plan.hidden, side, compare);
};

const planOf = (compare: CompareMoment): Plan => {
  const { scene } = compare;
  let plan = plans.get(scene);
  if (!plan) plans.set(scene, (plan = makePlan(compare)));
  return plan;
};
const plans = new WeakMap<CompareMoment['scene'], Plan>();

const makePlan = ({ scene }: CompareMoment): Plan => {
  const names = inOrder(scene.scenes);
  const hasChips = scene.comparison.changes.some(({ touches }) => touches.some(({ kind, name }) => (kind === 'service' || kind === 'host' ? names.includes(name) : kind === 'link' && names.includes(name.split('.')[0]))));
  const { width, height: room } = scene.places.sides[0].system;
  const chips = (form: Form): number => (hasChips && form.rows > 1 ? chipRow : 0);
  const inFull = stacked(names.map((name) => withInstances.height + chips(withInstances) + instanceRow * instancesMost(name, scene.scenes)), withInstances.across, width);
  if (inFull.every((box) => box.y + box.height <= room)) return { form: withInstances, boxes: inFull, hasChips, shown: names, hidden: [] };
  const fits = (form: Form, height: number): number => form.across * Math.floor((height + gap) / (form.height + chips(form) + gap));
  const form = forms.find((candidate) => fits(candidate, room) >= names.length) ?? forms.at(-1)!;
  const most = fits(form, room) >= names.length ? names.length : fits(form, room - 24);
  const kept = mostWorthShowing(names, most, scene);
  const shown = names.filter((name) => kept.has(name));
  return { form, boxes: inRows(shown.length, form.height + chips(form), form.across, width), hasChips: chips(form) > 0, shown, hidden: names.filter((name) => !kept.has(name)) };
};

const instancesMost = (name: string, scenes: readonly Scene[]): number => Math.max(...scenes.map(({ structure }) => structure.services.find((service) => service.name === name)?.instancesMax ?? 1));

const widthOf = (across: number, width: number): number => (width - gap * (across - 1)) / across;

/** Each below the others of the shortest column. */
const stacked = (heights: readonly number[], across: number, width: number): readonly Box[] => {
  const ends = Array.from({ length: across }, () => 0);
  return heights.map((height) => {
    const column = ends.indexOf(Math.min(...ends));
    const box = { x: column * (widthOf(across, width) + gap), y: ends[column], width: widthOf(across, width), height };
    ends[column] += height + gap;
    return box;
  });
};

const inRows = (count: number, height: number, across: number, width: number): readonly Box[] =>
  Array.from({ length: count }, (_, i) => ({ x: (i % across) * (widthOf(across, width) + gap), y: Math.floor(i / across) * (height + gap), width: widthOf(across, width), height }));

/** In the direction of calls: nearer to the traffic first. Hosts last. */
const inOrder = (scenes: readonly Scene[]): readonly string[] => {
  const layers = new Map<string, number>();
  for (const { structure } of scenes) for (const { name } of structure.services) layers.set(name, Math.max(layers.get(name) ?? 0, structure.layers.get(name) ?? 0));
  const hosts = [...new Set(scenes.flatMap(({ structure }) => structure.hosts.map(({ name }) => name)))];
  return [...[...layers].toSorted((a, b) => a[1] - b[1]).map(([name]) => name), ...hosts];
};

/** What is set otherwise, then what something happens to, then the rest. */
const mostWorthShowing = (names: readonly string[], most: number, { scenes, comparison }: CompareMoment['scene']): ReadonlySet<string> => {
  const events = (name: string): number => scenes.reduce((sum, { run }) => sum + run.eventLog.filter(({ subject }) => subject === name || subject.startsWith(`${name}.`)).length, 0);
  const weight = (name: string): number => (comparison.changes.some(({ touches }) => touches.some((touched) => touched.name === name || touched.name.startsWith(`${name}.`))) ? 1e9 : 0) + events(name);
  return new Set(names.toSorted((a, b) => weight(b) - weight(a)).slice(0, most));
};

const changesOn = (name: string, side: SideMoment, compare: CompareMoment): readonly string[] =>
  changesAt(compare, side.index, (touched) => ((touched.kind === 'service' || touched.kind === 'host') && touched.name === name) || (touched.kind === 'link' && touched.name.startsWith(`${name}.`)));

const drawCard = (canvas: Canvas, box: Box, service: PictureService, plan: Plan, side: SideMoment, compare: CompareMoment): void => {
  const { moment } = side;
  const { palette } = moment;
  const { x, y, width } = box;
  const states = statesOf(moment, service.name);
  const worst = worstOf(states);
  const changes = changesOn(service.name, side, compare);
  drawBox(canvas, box, worst, changes.length > 0, moment);
  const flow = incoming(service.name, moment);
  const bad = badText(flow, moment);
  const right = x + width - 10;
  if (plan.form.rows === 1) {
    drawState(canvas, x + 18, y + 16, worst, moment);
    const badWidth = bad ? textWidth(bad.text, 16, 600) + 8 : 0;
    canvas.text(x + 33, y + 22, fitted(service.name, 16, 600, width - 43 - badWidth), { size: 16, weight: 600, room: width - 42 - badWidth });
    if (bad) canvas.text(right, y + 22, bad.text, { size: 16, weight: 600, fill: bad.fill, anchor: 'end' });
    return;
  }
  drawGlyph(canvas, service.kind, x + 20, y + 19, 16, { color: palette.text2, cut: palette.s2 });
  const rate = perSecond(flow.sent / windowS(moment));
  const nameRoom = width - 44 - textWidth('8.8k/s', 17, 600);
  canvas.text(x + 36, y + 25, fitted(service.name, 17, 700, nameRoom), { size: 17, weight: 700, room: nameRoom + 1 });
  canvas.text(right, y + 25, rate, { size: 17, weight: 600, anchor: 'end' });
  const badRoom = bad ? textWidth(bad.text, 16, 600) + 10 : 0;
  drawTally(canvas, x + 20, y + 46, width - 30 - badRoom, states, moment);
  if (bad) canvas.text(right, y + 50, bad.text, { size: 16, weight: 600, fill: bad.fill, anchor: 'end' });
  if (plan.form.hasInstances) instancesOf(moment, service.name).forEach((_, i) => drawInstance(canvas, { x: x + 8, y: y + 60 + i * instanceRow, width: width - 16, height: instanceRow - 4 }, i, service, states[i], moment));
  if (plan.form.rows === 3) canvas.text(x + 12, y + 74, fitted(usedText(service, moment, compare), 16, 400, width - 22), { size: 16, fill: palette.text2, room: width - 21 });
  if (plan.hasChips && changes.length > 0) drawChangedChip(canvas, x + 8, y + box.height - chipRow - 1, changes.length > 1 ? `${changes[0]} ${compare.words.moreChanges(changes.length - 1)}` : changes[0], width - 16, palette);
};

/** An instance in one line: how it is, its slots and its queue. */
const drawInstance = (canvas: Canvas, { x, y, width, height }: Box, index: number, service: PictureService, state: DisplayState, moment: Moment): void => {
  const { palette, words } = moment;
  const instance = instancesOf(moment, service.name)[index];
  canvas.rect(x, y, width, height, { fill: state === 'killed' || state === 'crashed' ? palette.failedBg : palette.s1, radius: 5 });
  drawState(canvas, x + 15, y + height / 2, state, moment);
  const end = canvas.text(x + 29, y + 19, `#${index + 1}`, { size: 16, weight: 700, fill: state === 'off' ? palette.text3 : palette.text });
  const room = x + levelsFrom - 8 - end - 8;
  canvas.text(end + 8, y + 19, fitted(words.state[state], 16, 500, room), { size: 16, weight: 500, fill: healthColors(palette, state).text, room: room + 1 });
  if (state === 'off' || state === 'booting' || isDown(state)) return;
  const bar = { x: x + levelsFrom + 78, y: y + 8, width: width - levelsFrom - 78 - 92, height: 10 };
  drawFraction(canvas, { bar: { ...bar, x: x + levelsFrom }, value: y + 19, size: 16 }, meanOf([instance.slots.mean], moment), service.slots, palette.text);
  // Without a limit a bar would have no end that is the same on all sides.
  if (service.slots !== null) countedBar(canvas, bar, Math.round(meanOf([instance.slots.mean], moment)), service.slots, healthColors(palette, state).fill, palette);
  canvas.text(x + width - 10, y + 19, `${words.queue} ${count(Math.round(meanOf([instance.queue.mean], moment)))}`, { size: 16, fill: palette.text2, anchor: 'end', room: 90 });
};
const levelsFrom = 168;

const usedText = (service: PictureService, moment: Moment, compare: CompareMoment): string => {
  const instances = moment.scene.run.ticks.services[service.name]?.instances ?? [];
  const queued = Math.round(meanOf(instances.map(({ queue }) => queue.mean), moment));
  return [slotsText(service, moment, compare), ...(queued > 0 || (service.queueLimit ?? 0) > 0 ? [compare.words.queueOf(count(queued))] : [])].join(' · ');
};

/** Trouble has an edge in its colour; what is set otherwise a light one. */
const drawBox = (canvas: Canvas, { x, y, width, height }: Box, worst: DisplayState, isChanged: boolean, { palette }: Moment): void => {
  const trouble = !['healthy', 'off', 'warming', 'booting', 'joining'].includes(worst);
  canvas.rect(x, y, width, height, { fill: worst === 'killed' || worst === 'crashed' ? palette.failedBg : palette.s2, stroke: isChanged ? palette.text : trouble ? healthColors(palette, worst).fill : palette.line, strokeWidth: isChanged ? 2.5 : trouble ? 2 : 1.5, radius: 8 });
  if (worst !== 'off') canvas.rect(x, y + 7, 4, height - 14, { fill: healthColors(palette, worst).fill, radius: 2 });
};

const drawState = (canvas: Canvas, x: number, y: number, state: DisplayState, { palette }: Moment): void =>
  drawGlyph(canvas, healthGlyph(state), x, y, 16, { color: healthColors(palette, state).fill, cut: isDown(state) || state === 'killed' || state === 'crashed' ? palette.onFailed : palette.s2, progress: 0.9 });

/** Instances by state, worst first; one alone by its word. */
const drawTally = (canvas: Canvas, x: number, y: number, room: number, states: readonly DisplayState[], moment: Moment): void => {
  const there: readonly DisplayState[] = states.filter((state) => state !== 'off');
  const kinds = severity.filter((state) => there.includes(state));
  if (kinds.length === 0) return void canvas.text(x - 8, y + 5, moment.words.state.off, { size: 16, fill: moment.palette.text3 });
  if (kinds.length === 1) {
    drawState(canvas, x, y, kinds[0], moment);
    const label = there.length === 1 ? moment.words.state[kinds[0]] : `${count(there.length)} ${moment.words.state[kinds[0]]}`;
    // Where the word has no room beside what goes wrong, the sign and the number say it.
    const shown = textWidth(label, 16, 600) <= room - 13 ? label : count(there.length);
    canvas.text(x + 13, y + 5, shown, { size: 16, weight: 600, fill: healthColors(moment.palette, kinds[0]).text, room: room - 12 });
    return;
  }
  let at = x;
  for (const kind of kinds) {
    const number = count(there.filter((state) => state === kind).length);
    if (at + 13 + textWidth(number, 16, 600) > x + room) break;
    drawState(canvas, at, y, kind, moment);
    at = canvas.text(at + 12, y + 5, number, { size: 16, weight: 600, fill: healthColors(moment.palette, kind).text }) + 18;
  }
};

/** Calls to a service from all that call it. */
const incoming = (name: string, { scene, window }: Moment): LinkFlow =>
  scene.run.system.links
    .filter(({ callee }) => callee === name)
    .map((link) => linkFlow(scene, link, 'all', window.from, window.to))
    .reduce((a, b) => ({ sent: a.sent + b.sent, good: a.good + b.good, declined: a.declined + b.declined, refused: a.refused + b.refused, failed: a.failed + b.failed }), { sent: 0, good: 0, declined: 0, refused: 0, failed: 0 });

/** A machine that services share: its CPU by formula. */
const drawHost = (canvas: Canvas, box: Box, host: PictureHost, plan: Plan, side: SideMoment, compare: CompareMoment): void => {
  const { moment } = side;
  const { palette, scene } = moment;
  const { x, y, width } = box;
  const columns = scene.run.ticks.hosts[host.name];
  if (!columns) return;
  const changes = changesOn(host.name, side, compare);
  drawBox(canvas, box, 'off', changes.length > 0, moment);
  drawGlyph(canvas, 'host', x + 20, y + (plan.form.rows === 1 ? 16 : 19), 16, { color: palette.text2, cut: palette.s2 });
  const used = compare.words.coresOf(cores(meanOf([columns.cpuCores.mean], moment)), host.cpus === null ? null : cores(host.cpus));
  if (plan.form.rows === 1) return void canvas.text(x + 36, y + 22, fitted(`${host.name} ${used}`, 16, 600, width - 46), { size: 16, weight: 600, room: width - 45 });
  canvas.text(x + 36, y + 25, fitted(host.name, 17, 700, width - 46), { size: 17, weight: 700, room: width - 45 });
  canvas.text(x + 12, y + 50, fitted(used, 16, 400, width - 22), { size: 16, fill: palette.text2, room: width - 21 });
  if (host.cpus !== null && (plan.form.rows === 3 || plan.form.hasInstances)) estimatedBar(canvas, { x: x + 12, y: y + 61, width: width - 24, height: 13 }, meanOf([columns.cpuCores.mean], moment) / host.cpus, palette.hatch, palette);
  if (plan.hasChips && changes.length > 0) drawChangedChip(canvas, x + 8, y + box.height - chipRow - 1, changes[0], width - 16, palette);
};

/** How those are that have no card. */
const drawHidden = (canvas: Canvas, { x, y, width }: Box, hidden: readonly string[], { moment }: SideMoment, compare: CompareMoment): void => {
  const states = hidden.flatMap((name) => statesOf(moment, name));
  const kinds = severity.filter((state) => states.includes(state));
  const told = kinds.map((kind) => `${count(states.filter((state) => state === kind).length)} ${moment.words.state[kind]}`).join(', ');
  canvas.text(x, y + 16, fitted(compare.words.moreServices(hidden.length, told), 16, 500, width), { size: 16, weight: 500, fill: compare.palette.text2, room: width + 1 });
};
