import type { Basis, Input, Picture, Study } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import { drawBasis } from '../../look/basis-marks.js';
import { coordinate, type Canvas, type Drawing } from '../../look/drawing.js';
import { isGuess } from '../../look/figure.js';
import { clock, count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { balanced, fitted, wrapped } from '../fit.js';
import { followedObjectives, goalText } from '../objectives.js';
import { momentOf, type Moment, type StageOptions } from '../scene.js';
import { newCanvas } from '../stage.js';
import { titlePlaces, type TitlePlace } from './title-places.js';

/** What is run, the goal, how the inputs are known, the scripted load. Tells nothing of the outcome. */
export const titleCard = (study: Study, variant: string, options: Pick<StageOptions, 'lang' | 'theme' | 'frame'>): Drawing => {
  const moment = momentOf(study, variant, 0, options);
  const { palette, lang } = moment;
  const words = cardWords[lang];
  const canvas = newCanvas(moment);
  const { left, right, tool, variant: { y, anchor } } = placeOf(moment);
  const end = canvas.text(left, tool, 'faultreel', { size: 26, weight: 700, fill: palette.text2 });
  canvas.text(end + 18, tool, words.tool, { size: 26, fill: palette.text3 });
  canvas.text(anchor === 'end' ? right : left, y, `${fitted(variant, 22, 400, 500)} · ${moment.words.seed(study.scenario.seed)}`, { size: 22, fill: palette.text3, anchor });
  drawTitle(canvas, study.scenario.title[lang], placeOf(moment));
  drawAbout(canvas, aboutText(moment), moment);
  drawInputs(canvas, study.inputs, moment);
  drawLoad(canvas, moment);
  return canvas.drawing();
};

const placeOf = ({ scene: { frame } }: Moment): TitlePlace => titlePlaces[frame.name];

/** Two lines (four in portrait): broken after the colon where both parts fit, else between words; smaller when it is long. */
const drawTitle = (canvas: Canvas, title: string, { left, right, title: { sizes, lines: most, one, first } }: TitlePlace): void => {
  const room = right - left;
  for (const size of sizes) {
    const colon = title.indexOf(': ');
    const parts = colon > 0 ? [title.slice(0, colon + 1), title.slice(colon + 2)] : [];
    const isWhole = (text: string): boolean => textWidth(text, size, 800) <= room;
    const lines = isWhole(title) && colon < 0 ? [title] : parts.length === 2 && parts.every(isWhole) ? parts : balanced(title, size, 800, room);
    // A word that is wider than the card makes all of it smaller.
    if ((lines.length > most || lines.some((line) => line.endsWith('…'))) && size > sizes.at(-1)!) continue;
    lines.slice(0, most).forEach((line, i) => canvas.text(left - 4, (lines.length === 1 ? one : first) + i * size * 1.12, line, { size, weight: 800, room }));
    return;
  }
};

/** A few lines, smaller when there are more than one; what is longer than that ends in an ellipsis. */
const drawAbout = (canvas: Canvas, about: string, moment: Moment): void => {
  const { left, right, about: { y, one, size: several, lines: aboutLines } } = placeOf(moment);
  const room = right - left;
  const size = textWidth(about, one, 400) <= room ? one : several;
  const full = wrapped(about, size, 400, room);
  const lines = full.length > 1 && !full.at(-1)!.includes(' ') ? balanced(about, size, 400, room) : full;
  const shown = lines.length <= aboutLines ? lines : [...lines.slice(0, aboutLines - 1), fitted(lines.slice(aboutLines - 1).join(' '), size, 400, room)];
  shown.forEach((line, i) => canvas.text(left, y + i * size * 1.35, line, { size, fill: moment.palette.text2, room }));
};

const aboutText = (moment: Moment): string => {
  const { scene, lang } = moment;
  const { run, study } = scene;
  const words = cardWords[lang];
  const goals = followedObjectives(scene).map((followed) => `${followed.kind === 'share' ? moment.words.outcome.good : followed.objective.metric} ${goalText(followed)}`);
  if (study.scenario.about) return study.scenario.about[lang];
  const group = scene.structure.group;
  const balancer = group && run.system.links.find((link) => link.callee === group.name && run.system.services.some((service) => service.name === link.caller && service.kind === 'balancer'));
  const { services, traffic } = run.system;
  const fleet = scene.layout.board ? words.system(services.length, services.reduce((sum, { instancesMax }) => sum + instancesMax, 0), traffic.length) : group ? words.fleet(group.title[lang], group.instancesAtStart, group.instancesMax, balancer ? balancer.caller : null) : '';
  return `${fleet}${goals.length > 0 ? ` ${words.goals(goals)}` : ''}`.trim();
};

const drawInputs = (canvas: Canvas, inputs: readonly Input[], moment: Moment): void => {
  const { palette, lang } = moment;
  const { left, right, inputs: { y, columns } } = placeOf(moment);
  const words = cardWords[lang];
  const number = (test: (input: Input) => boolean): number => inputs.filter(test).length;
  const rows: readonly (readonly [Basis, string, number])[] = [
    ['measured', words.inputs.measured, number(({ basis }) => basis === 'measured')],
    ['spec', words.inputs.spec, number(({ basis }) => basis === 'spec')],
    ['chosen', words.inputs.chosen, number(({ basis }) => basis === 'chosen')],
    ['assumed', words.inputs.assumed, number(({ basis, why }) => basis === 'assumed' && why !== undefined)],
    ['assumed', words.inputs.unexplained, number(({ basis, why }) => basis === 'assumed' && why === undefined)],
    ['default', words.inputs.default, number(({ basis }) => basis === 'default')],
  ];
  canvas.text(left, y, words.goesIn, { size: 20, fill: palette.text3 });
  let x = left;
  // "Measured: 0" is worth saying; the other kinds are left out when there are none.
  rows.filter(([basis, , value]) => value > 0 || basis === 'measured').forEach(([basis, label, value], i) => {
    const base = y + 60 + (columns === null ? 0 : Math.floor(i / columns) * 54);
    if (columns !== null) x = left + (i % columns) * ((right - left) / columns);
    drawBasis(canvas, basis, x + 14, base - 12, 28, palette.text);
    const end = canvas.text(x + 40, base, count(value), { size: 36, weight: 700 });
    x = canvas.text(end + 10, base, label, { size: 24, fill: palette.text2 }) + 36;
  });
};

/** The scripted load as the ground line: hatched and dashed where its rates are guesses. */
const drawLoad = (canvas: Canvas, moment: Moment): void => {
  const { scene, palette, lang } = moment;
  const place = placeOf(moment);
  const { left, right, load } = place;
  const { durationMs } = scene.run;
  const traffic = livelyOf(scene.run.system.traffic);
  const points = traffic ? drawnPoints(traffic, durationMs) : [];
  if (!traffic || points.length === 0) return;
  const most = Math.max(1, ...points.map((point) => point.value));
  const x = (ms: number): number => left + ((right - left) * ms) / durationMs;
  const y = (value: number): number => load.bottom - ((load.bottom - load.top) * value) / most;
  const line = points.map((point) => `${coordinate(x(point.atMs))} ${coordinate(y(point.value))}`).join('L');
  const guess = points.some((point) => point.value > 0 && isGuess(point.basis));
  if (traffic.kind === 'bursts') return drawBursts(canvas, points, traffic, { x, y }, moment);
  canvas.path(`M${coordinate(left)} ${load.bottom}L${line}L${coordinate(right)} ${load.bottom}Z`, { fill: guess ? { color: palette.line2, ground: palette.s1, period: 14, stripe: 3 } : palette.s3 });
  canvas.path(`M${line}`, { stroke: palette.text, strokeWidth: 3, ...(guess ? { dash: [14, 8] } : {}) });
  canvas.line(left, load.bottom, right, load.bottom, { stroke: palette.line2, strokeWidth: 2 });
  drawLoadLabels(canvas, points, traffic, x, y, right, lang);
  drawTimes(canvas, points, x, durationMs, place, palette.text3);
  drawOthers(canvas, traffic, scene.run.system.traffic, lang, place, palette.text3);
};

/** A spike for each burst, a number on each that has room for it; a guess is dashed. */
const drawBursts = (canvas: Canvas, points: readonly LoadPoint[], traffic: Picture['traffic'][number], { x, y }: { readonly x: (ms: number) => number; readonly y: (value: number) => number }, moment: Moment): void => {
  const { scene, palette, lang } = moment;
  const place = placeOf(moment);
  const { left, right, load } = place;
  canvas.line(left, load.bottom, right, load.bottom, { stroke: palette.line2, strokeWidth: 2 });
  const tops = points.filter(({ value }) => value > 0);
  let free = left;
  let last: number | null = null;
  for (const { atMs, value, basis } of tops) {
    canvas.path(`M${coordinate(x(atMs))} ${load.bottom}V${coordinate(y(value))}`, { stroke: palette.text, strokeWidth: 4, ...(isGuess(basis) ? { dash: [10, 6] } : {}) });
    const amount = `${isGuess(basis) ? '≈' : ''}${cardWords[lang].atOnce(count(value))}`;
    const text = last === null ? `${traffic.title[lang]} ${amount}, ${cardWords[lang].basis[basis]}` : amount;
    if (value === last || x(atMs) < free || x(atMs) + textWidth(text, 22, 600) > right) continue;
    free = canvas.text(x(atMs), y(value) - 14, text, { size: 22, weight: 600 }) + 24;
    last = value;
  }
  drawTimes(canvas, tops, x, scene.run.durationMs, place, palette.text3);
  drawOthers(canvas, traffic, scene.run.system.traffic, lang, place, palette.text3);
};

const drawOthers = (canvas: Canvas, traffic: Picture['traffic'][number], all: Picture['traffic'], lang: Moment['lang'], { left, right, load }: TitlePlace, fill: string): void => {
  const others = all.filter((other) => other !== traffic).map(({ title }) => title[lang]);
  if (others.length > 0) canvas.text(left, load.others, fitted(cardWords[lang].otherSources(others.join(', ')), 22, 400, right - left), { size: 22, fill, room: right - left });
};

/** The source whose script changes most often; of equals the first. */
const livelyOf = (all: Picture['traffic']): Picture['traffic'][number] | undefined => {
  const levels = ({ scripted }: Picture['traffic'][number]): number => new Set(scripted.map(({ value }) => value)).size;
  return all.reduce<Picture['traffic'][number] | undefined>((best, one) => (best === undefined || levels(one) > levels(best) ? one : best), undefined);
};

type LoadPoint = Picture['traffic'][number]['scripted'][number];

/** The profile from 0 to the end of the run. */
const drawnPoints = (traffic: Picture['traffic'][number], durationMs: number): readonly LoadPoint[] => {
  const { scripted } = traffic;
  const [first, last] = [scripted[0], scripted.at(-1)];
  if (!first || !last) return [];
  return [...(first.atMs > 0 ? [{ ...first, atMs: 0 }] : []), ...scripted.filter((point) => point.atMs <= durationMs), ...(last.atMs < durationMs ? [{ ...last, atMs: durationMs }] : [])];
};

/** Each level is labelled once, where it is first reached and has room: in full, or where the step is short, with its amount only. */
const drawLoadLabels = (canvas: Canvas, points: readonly LoadPoint[], traffic: Picture['traffic'][number], x: (ms: number) => number, y: (value: number) => number, right: number, lang: 'en' | 'ko'): void => {
  const words = cardWords[lang];
  const taken: { from: number; to: number; y: number }[] = [];
  const said = new Set<number>();
  points.forEach((point, i) => {
    const next = points[i + 1];
    if (point.value === 0 || said.has(point.value) || !next || next.value !== point.value) return;
    const amount = `${isGuess(point.basis) ? '≈' : ''}${traffic.kind === 'closed' ? words.users(count(point.value)) : perSecond(point.value)}`;
    const from = x(point.atMs) + (i === 0 ? 0 : 14);
    // The way up to the next level is not written over.
    const rises = points.slice(i + 1).find(({ value }) => value > point.value);
    const end = rises ? x(rises.atMs) - 8 : right;
    const text = [`${traffic.title[lang]} ${amount}, ${words.basis[point.basis]}`, amount].find((candidate) => from + textWidth(candidate, 22, 600) <= end);
    if (text === undefined) return;
    const at = { from, to: from + textWidth(text, 22, 600), y: y(point.value) - 16 };
    if (taken.some((box) => at.from < box.to + 20 && box.from < at.to + 20 && Math.abs(box.y - at.y) < 30)) return;
    said.add(point.value);
    taken.push(at);
    canvas.text(at.from, at.y, text, { size: 22, weight: 600 });
  });
};

const drawTimes = (canvas: Canvas, points: readonly LoadPoint[], x: (ms: number) => number, durationMs: number, { left, right, load }: TitlePlace, fill: string): void => {
  canvas.text(left, load.axis, clock(0), { size: 20, fill });
  canvas.text(right, load.axis, clock(durationMs), { size: 20, fill, anchor: 'end' });
  let free = left + 70;
  for (const { atMs } of points) {
    if (x(atMs) - 34 < free || x(atMs) + 34 > right - 80) continue;
    canvas.text(x(atMs), load.axis, clock(atMs), { size: 20, fill, anchor: 'middle' });
    free = x(atMs) + 50;
  }
};
