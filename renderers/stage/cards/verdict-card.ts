import type { ClaimResult, FirstToBreak, PictureObjective, Study, Verdict } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas, Drawing } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { clock, condition, count, inputValue, perSecond, resultValue, span } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted } from '../fit.js';
import { flowOf, momentOf, type Moment, type StageOptions } from '../scene.js';
import { newCanvas } from '../stage.js';
import { drawWholeRun } from './whole-run.js';

const left = 112;
const right = 1808;

/** What breaks first and why, every objective with how sure that is, and the whole run for the first time. */
export const verdictCard = (study: Study, variant: string, options: Pick<StageOptions, 'lang' | 'theme'>): Drawing => {
  const last = study.runs[variant].ticks.count - 1;
  const moment = momentOf(study, variant, last, options);
  const { palette, lang } = moment;
  const words = cardWords[lang];
  const canvas = newCanvas(moment);
  const headEnd = canvas.text(left, 116, words.verdict, { size: 26, weight: 700, fill: palette.text2 });
  canvas.text(headEnd + 18, 116, fitted(`${study.scenario.title[lang]} · ${variant}`, 26, 400, right - headEnd - 18), { size: 26, fill: palette.text3 });
  const headline = headlineOf(moment);
  const size = [84, 68, 54].find((px) => textWidth(headline, px, 800) <= right - left) ?? 44;
  canvas.text(left - 4, 218, fitted(headline, size, 800, right - left), { size, weight: 800, room: right - left });
  whyOf(moment).forEach((line, i) => canvas.text(left, 280 + i * 42, fitted(line, 28, 400, right - left), { size: 28, fill: palette.text2, room: right - left }));
  const verdicts = study.verdicts.filter((verdict) => verdict.variant === variant);
  const end = verdicts.length > 0 ? drawTable(canvas, verdicts, moment) : drawClaims(canvas, study.claims.filter((claim) => claim.variant === variant), moment);
  drawWholeRun(canvas, end, moment);
  return canvas.drawing();
};

/** The headline of the verdict; it also heads the film's last chapter. */
export const headlineOf = ({ scene, lang, words: stage }: Moment): string => {
  const words = cardWords[lang];
  const first = breakOf(scene);
  if (scene.run.system.objectives.length === 0) {
    const claims = scene.study.claims.filter(({ variant }) => variant === scene.run.variant);
    return claims.length === 0 ? words.noObjective : words.claimsHeld(claims.filter(({ held }) => held).length, claims.length);
  }
  if (!first) return words.nothingBreaks;
  const objective = namedObjective(first.objective, scene, stage);
  if (!first.resource) return words.breaks(objective.startsWith(stage.outcome.good) ? sentence(objective) : objective, clock(first.tMs));
  const guess = first.resource.what === 'cpu' || first.resource.what === 'memory' ? '≈' : '';
  return words.breaksFirst(words.resource[first.resource.what], `${guess}${clock(first.resource.sinceMs)}`);
};

/** What broke first, unless every objective is kept over its phases: what it missed for a while then broke nothing. */
const breakOf = ({ study, run }: Moment['scene']): FirstToBreak | null => {
  const own = study.verdicts.filter(({ variant }) => variant === run.variant);
  return own.length > 0 && own.every(({ met }) => met === true) ? null : run.firstToBreak;
};

/** Two lines: what gave way and how far the served rate fell behind, and what became of the rest. */
const whyOf = ({ scene, lang, words: stage }: Moment): readonly string[] => {
  const words = cardWords[lang];
  const { run, tickMs } = scene;
  const first = breakOf(scene);
  const passing = run.firstToBreak;
  if (!first) return [totalsOf(scene, lang), ...(passing ? [words.missedForAWhile(namedObjective(passing.objective, scene, stage), clock(passing.tMs))] : [])];
  const broken = words.brokenFrom(namedObjective(first.objective, scene, stage), clock(first.tMs));
  const from = Math.floor(first.tMs / tickMs);
  const to = Math.min(run.ticks.count, from + Math.ceil(afterBreakMs / tickMs));
  const { offered, good } = flowOf(run, from, to - 1);
  const perS = (value: number): string => perSecond((value * 1000) / ((to - from) * tickMs));
  return [`${resourceOf(scene, lang, stage)} ${broken}${words.served(perS(offered), perS(good), span((to - from) * tickMs, lang))}`, storyOf(scene, lang)];
};
/** Time after the break over which the served rate is told, ms. */
const afterBreakMs = 10_000;

const resourceOf = (scene: Moment['scene'], lang: Moment['lang'], stage: Moment['words']): string => {
  const words = cardWords[lang];
  const resource = scene.run.firstToBreak?.resource;
  if (!resource) return words.whyNone;
  const { service, instance, what, sinceMs } = resource;
  // A host and a lock have no instances.
  const name = instance === null || scene.structure.services.find((candidate) => candidate.name === service)?.instancesMax === 1 ? service : `${service} #${instance}`;
  return words.why(name, what === 'pool' || what === 'lock' ? words.resource[what] : stage[what], `${what === 'cpu' || what === 'memory' ? '≈' : ''}${clock(sinceMs)}`);
};

/** Ejections, and how the requests ended that were not answered well. */
const storyOf = (scene: Moment['scene'], lang: Moment['lang']): string => {
  const words = cardWords[lang];
  const { run } = scene;
  const failedBy = (reason: string): number => Object.values(run.traffic).reduce((sum, { failed }) => sum + Object.entries(failed).reduce((part, [key, value]) => part + (key.endsWith(`: ${reason}`) ? value : 0), 0), 0);
  const { refused, failed } = flowOf(run, 0, run.ticks.count - 1);
  const [lost, dead] = [failedBy('killed'), failedBy('connection refused')];
  const facts: readonly (readonly [number, (count: string) => string])[] = [
    [Object.values(run.links).reduce((sum, { ejections }) => sum + ejections, 0), words.ejections],
    [refused, words.refusedRequests],
    [lost, words.lostInKills],
    [dead, words.sentToDead],
    [Math.max(0, failed - lost - dead), words.otherwiseFailed],
  ];
  const parts = facts.flatMap(([value, say]) => (value > 0 ? [say(count(value))] : []));
  return parts.length > 0 ? words.story(parts) : totalsOf(scene, lang);
};

const totalsOf = ({ run }: Moment['scene'], lang: Moment['lang']): string => {
  const words = cardWords[lang];
  const { offered, refused, failed } = flowOf(run, 0, run.ticks.count - 1);
  return refused + failed > 0 ? words.wentWrong(count(refused + failed), count(offered), count(refused), count(failed)) : words.allWentWell(count(offered));
};

const namedObjective = (name: string, { run: { system: { objectives } } }: Moment['scene'], words: Moment['words']): string => {
  const objective = objectives.find((candidate) => candidate.name === name);
  return objective ? `${ofWhom(objective.of, objectives)}${objectiveText(objective.metric, words)} ${condition(objective.condition)}` : name;
};

/** Whose objective it is, where a film has objectives of more than one. */
const ofWhom = (of: string, objectives: readonly PictureObjective[]): string => (objectives.some((other) => other.of !== of) ? `${of} ` : '');

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const objectiveText = (metric: string, words: Moment['words']): string => (metric in words.outcome ? words.outcome[metric as keyof typeof words.outcome] : metric);

const columns = { phase: left, objective: 330, result: 690, met: 880, sure: 1050, note: 1240 } as const;
const table = { top: 398, pitch: 48, most: 6 } as const;

/** Gives the y of its last line. */
const drawTable = (canvas: Canvas, verdicts: readonly Verdict[], moment: Moment): number => {
  const { palette, lang } = moment;
  const words = cardWords[lang];
  for (const [key, label] of [['phase', words.phase], ['objective', words.objective], ['result', words.result], ['sure', words.howSure]] as const) canvas.text(columns[key], table.top, label, { size: 20, fill: palette.text3 });
  const common = commonNote(verdicts, lang);
  const below = [otherVariants(moment), common].filter((line) => line !== null);
  const most = table.most - below.length;
  // Where not all fit, what was not kept comes first.
  const shown = verdicts.length > most ? verdicts.toSorted((a, b) => Number(a.met ?? false) - Number(b.met ?? false)).slice(0, most - 1) : verdicts;
  const y = (row: number): number => table.top + 48 + row * table.pitch;
  shown.forEach((verdict, row) => drawRow(canvas, verdict, y(row), common === null, moment));
  const lines = [...(shown.length < verdicts.length ? [words.moreRows(verdicts.length - shown.length)] : []), ...below];
  lines.forEach((line, i) => canvas.text(left, y(shown.length) + 6 + i * 40, fitted(line, 24, 400, right - left), { size: 24, fill: palette.text2, room: right - left }));
  return y(shown.length - 1) + lines.length * 46;
};

/** What the file promises of its own run, where it sets no objective. */
const drawClaims = (canvas: Canvas, claims: readonly ClaimResult[], { palette, lang }: Moment): number => {
  const words = cardWords[lang];
  if (claims.length === 0) return table.top;
  const place = { phase: left, claim: 330, target: 1120, result: 1400, held: 1600 } as const;
  for (const [key, label] of [['phase', words.phase], ['claim', words.claim], ['target', words.promised], ['result', words.result]] as const) canvas.text(place[key], table.top, label, { size: 20, fill: palette.text3 });
  const shown = claims.length > table.most ? claims.toSorted((a, b) => Number(a.held) - Number(b.held)).slice(0, table.most - 1) : claims;
  shown.forEach((claim, row) => {
    const y = table.top + 48 + row * table.pitch;
    const color = claim.held ? palette.goodText : palette.failedText;
    canvas.line(left, y - 34, right, y - 34, { stroke: palette.line, strokeWidth: 1.2 });
    canvas.text(place.phase, y, fitted(claim.phase ?? words.wholeRun, 26, 600, 205), { size: 26, weight: 600, room: 210 });
    canvas.text(place.claim, y, fitted(claim.says?.[lang] ?? claim.claim, 24, 400, 766), { size: 24, fill: palette.text2, room: 770 });
    // An order of events has no figure: its text takes that place too.
    const room = (claim.unit === null ? place.held : place.result) - place.target - 16;
    const target = condition(claim.target);
    const size = [26, 22].find((px) => textWidth(target, px, 400) <= room) ?? 20;
    canvas.text(place.target, y, fitted(target, size, 400, room), { size, fill: palette.text2, room });
    if (claim.unit !== null) canvas.text(place.result, y, fitted(resultValue(claim.actual, claim.unit, lang), 28, 700, 184), { size: 28, weight: 700, fill: color, room: 188 });
    drawGlyph(canvas, claim.held ? 'kept' : 'broken', place.held + 10, y - 9, 22, { color, cut: palette.bg });
    canvas.text(place.held + 32, y, claim.held ? words.holds : words.holdsNot, { size: 26, weight: 600, fill: color, room: 176 });
  });
  if (shown.length < claims.length) canvas.text(left, table.top + 54 + shown.length * table.pitch, words.moreRows(claims.length - shown.length), { size: 24, fill: palette.text2 });
  return table.top + (shown.length + 1) * table.pitch;
};

/** What all verdicts rest on, when it is the same and untested for all: said once, below them. */
const commonNote = (verdicts: readonly Verdict[], lang: Moment['lang']): string | null => {
  const [first] = verdicts;
  if (!first || verdicts.length < 2 || first.restsOn.length === 0) return null;
  if (!verdicts.every(({ sure, restsOn }) => sure === 'untested' && restsOn.join() === first.restsOn.join())) return null;
  return cardWords[lang].allRestOn(first.restsOn.slice(0, 3).map(shortName).join(', '), Math.max(0, first.restsOn.length - 3));
};

/** What the other variants make of the objective that broke first here, or where all is kept, of one that another breaks. */
const otherVariants = ({ scene, lang, words: stage }: Moment): string | null => {
  const { study, run } = scene;
  const others = Object.values(study.runs).filter(({ variant }) => variant !== run.variant);
  const asked = comparedOf(scene);
  if (!asked) return null;
  const results = others.flatMap(({ variant }) => study.verdicts.filter((verdict) => verdict.variant === variant && isSame(verdict, asked) && verdict.actual !== null).map(({ actual, unit }) => [variant, resultValue(actual, unit, lang)] as const));
  const first = Object.keys(study.runs)[0];
  const oneLine = run.variant === first && run.overrides.length === 0 && others.every(({ overrides }) => overrides.length === 1);
  const what = `${ofWhom(asked.of, run.system.objectives)}${objectiveText(asked.metric, stage)}`;
  return results.length === 0 ? null : cardWords[lang].variants(what, asked.phase, oneLine, results);
};

const comparedOf = ({ study: { verdicts }, run: { variant, firstToBreak } }: Moment['scene']): Verdict | undefined => {
  const own = verdicts.filter((verdict) => verdict.variant === variant);
  const broken = own.filter(({ met }) => met === false);
  return broken.find(({ objective, phase }) => objective === firstToBreak?.objective && phase === firstToBreak.phase) ?? broken[0] ?? own.find((one) => verdicts.some((other) => other.met === false && isSame(one, other)));
};

const isSame = (one: Verdict, other: Verdict): boolean => one.objective === other.objective && one.phase === other.phase;

const drawRow = (canvas: Canvas, verdict: Verdict, y: number, withNote: boolean, moment: Moment): void => {
  const { palette, lang, words: stage } = moment;
  const words = cardWords[lang];
  canvas.line(left, y - 34, right, y - 34, { stroke: palette.line, strokeWidth: 1.2 });
  canvas.text(columns.phase, y, fitted(verdict.phase ?? words.wholeRun, 26, 600, 205), { size: 26, weight: 600, room: 210 });
  canvas.text(columns.objective, y, fitted(`${ofWhom(verdict.of, moment.scene.run.system.objectives)}${objectiveText(verdict.metric, stage)} ${condition(verdict.target)}`, 26, 400, 340), { size: 26, fill: palette.text2, room: 345 });
  const color = verdict.met === null ? palette.text2 : verdict.met ? palette.goodText : palette.failedText;
  drawBasis(canvas, verdict.basis, columns.result + 8, y - 9, 16, palette.text2);
  const guess = verdict.basis === 'estimated' ? '≈' : '';
  canvas.text(columns.result + 28, y, `${verdict.actual === null ? '' : guess}${resultValue(verdict.actual, verdict.unit, lang)}`, { size: 28, weight: 700, fill: color, room: 165 });
  if (verdict.met !== null) drawGlyph(canvas, verdict.met ? 'kept' : 'broken', columns.met + 10, y - 9, 22, { color, cut: palette.bg });
  canvas.text(columns.met + 32, y, verdict.met === null ? words.unknown : verdict.met ? words.kept : words.broken, { size: 26, weight: 600, fill: color, room: 140 });
  drawSureness(canvas, verdict, y, moment);
  if (withNote) canvas.text(columns.note, y, fitted(noteOf(verdict, moment), 22, 400, right - columns.note), { size: 22, fill: palette.text2, room: right - columns.note });
};

/** Firm is plain; what a guess could still turn is a hatched chip. */
const drawSureness = (canvas: Canvas, { sure }: Verdict, y: number, { palette, lang }: Moment): void => {
  const text = cardWords[lang].sure[sure];
  if (sure === 'firm') {
    canvas.text(columns.sure, y, text, { size: 26, weight: 600 });
    return;
  }
  const width = textWidth(text, 24, 700) + 44;
  canvas.rect(columns.sure - 2, y - 27, width, 37, { fill: { color: palette.line2, ground: palette.bg, period: 9, stripe: 2 }, stroke: palette.text, strokeWidth: 2, radius: 6 });
  canvas.rect(columns.sure + 10, y - 21, width - 24, 26, { fill: palette.bg, radius: 3 });
  canvas.text(columns.sure - 2 + width / 2, y, text, { size: 24, weight: 700, anchor: 'middle', room: width - 26 });
};

const noteOf = (verdict: Verdict, { scene, lang }: Moment): string => {
  const words = cardWords[lang];
  if (verdict.sure === 'firm') return words.firmNote;
  if (verdict.sure === 'hinges' && verdict.flipsAt) {
    const input = scene.study.inputs.find(({ path }) => path === verdict.flipsAt!.path);
    return words.hingesNote(shortName(verdict.flipsAt.path), inputValue(verdict.flipsAt.value, input?.unit ?? 'count', lang, input?.currency));
  }
  const names = verdict.restsOn.slice(0, 3).map(shortName);
  return names.length > 0 ? words.untestedNote(names.join(', '), verdict.restsOn.length - names.length) : '';
};

/** `values.order-cpu` → `order-cpu`, `services.api.handlers.work.0.wait` → `api.work.wait`: the names in it, without the words of the language between them. */
const shortName = (path: string): string =>
  path
    .split('.')
    .filter((part) => !/^(values|services|traffic|handlers|to|\d+)$/.test(part))
    .join('.');
