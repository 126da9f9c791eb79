import { inputsOf } from '../../../src/study/inputs.js';
import { splitSubject } from '../../../src/study/events.js';
import { undatedBreaks } from '../../../src/study/undated-break.js';
import type { Basis, FirstToBreak, LoggedEvent, PictureObjective, Run, Verdict } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import { eventSentence } from '../../../src/text/events.js';
import { figure } from '../../look/figure.js';
import { clock, condition, count, inputValue, nearInput, perSecond, resultValue, span } from '../../look/numbers.js';
import { whySure } from '../../look/sureness.js';
import { textWidth } from '../../look/text-width.js';
import { eventFormats } from '../event-formats.js';
import { flowOf, type Moment } from '../scene.js';
import { guessesOf } from './guesses.js';

/** The headline of the verdict; it also heads the film's last chapter. */
export const headlineOf = ({ scene, lang, words: stage }: Moment): string => {
  const words = cardWords[lang];
  const first = breakOf(scene);
  if (scene.run.system.objectives.length === 0) {
    const claims = scene.study.claims.filter(({ variant }) => variant === scene.run.variant);
    return claims.length === 0 ? words.noObjective : words.claimsHeld(claims.filter(({ held }) => held).length, claims.length);
  }
  const undated = undatedBreaks(scene.study, scene.run.variant)[0];
  if (undated) return words.isBroken(undated.objective, undated.phase);
  if (!first) {
    const own = scene.study.verdicts.filter(({ variant }) => variant === scene.run.variant);
    return own.every(({ met }) => met !== null) ? words.nothingBreaks : own.some(({ met }) => met !== null) ? words.someUnjudged : words.noneJudged;
  }
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

/** Two lines: what gave way, or where no resource did, what happened last before; how far the served rate fell behind, and what became of the rest. */
export const whyOf = (moment: Moment): readonly string[] => {
  const { scene, lang, words: stage } = moment;
  const words = cardWords[lang];
  const { run, tickMs } = scene;
  const first = breakOf(scene);
  const passing = run.firstToBreak;
  const undated = undatedBreaks(scene.study, run.variant)[0];
  if (undated) {
    const actual = figure(resultValue(undated.actual, undated.unit, lang), undated.basis).text;
    // That no request went wrong would read as if all were well.
    return [words.undated(namedObjective(undated.objective, scene, stage), undated.phase, actual), ...(badOf(scene) > 0 ? [totalsOf(scene, lang)] : [])];
  }
  if (!first) return [totalsOf(scene, lang), ...(passing ? [words.missedForAWhile(namedObjective(passing.objective, scene, stage), clock(passing.tMs))] : [])];
  const from = Math.floor(first.tMs / tickMs);
  const to = Math.min(run.ticks.count, from + Math.ceil(afterBreakMs / tickMs));
  const { offered, good } = flowOf(run, from, to - 1);
  const perS = (value: number): string => perSecond((value * 1000) / ((to - from) * tickMs));
  const rates = [perS(offered), perS(good), span((to - from) * tickMs, lang)] as const;
  const story = storyOf(scene, lang);
  // The headline has said what breaks and when, unless it names the resource.
  if (!first.resource) return inTwoLines(beforeBreak(first.tMs, moment), words.servedAfter(...rates), story);
  const broken = words.brokenFrom(namedObjective(first.objective, scene, stage), clock(first.tMs));
  return [`${resourceOf(scene, first.resource, lang, stage)} ${broken}${words.served(...rates)}`, story];
};
/** Time after the break over which the served rate is told, ms. */
const afterBreakMs = 10_000;

/** The fullest wording that fits: the rate after what happened, else before the story. */
const inTwoLines = (wordings: readonly string[], served: string, story: string): readonly string[] => {
  const ways = wordings.flatMap((wording) => [[`${wording} ${served}`, story], [wording, `${served} ${story}`]]);
  return ways.find((lines) => lines.every((line) => textWidth(line, whySize, 400) <= whyRoom)) ?? [`${wordings.at(-1)!} ${served}`, story];
};
/** Of the landscape card: type size, and width of a line. */
export const whySize = 28;
export const whyRoom = 1696;

/** What happened before the break, in all its words and in fewer. It is not said that one came of the other. */
const beforeBreak = (breakMs: number, { scene, lang }: Moment): readonly string[] => {
  const words = cardWords[lang];
  const event = graveEventBefore(scene.run.eventLog, breakMs);
  if (!event) return [words.whyNone];
  const formats = eventFormats(scene, lang);
  const { lead, rest } = eventSentence(event, lang, { ...formats, subject: (subject) => partName(scene, subject) });
  const at = `${event.basis === 'estimated' ? '≈' : ''}${clock(event.tMs)}`;
  const said = (what: string): string => words.before(breakMs - event.tMs <= justBeforeMs, at, what);
  // After a colon only a name begins with a capital letter.
  const begun = lang === 'en' && startsWithWord.has(event.kind) ? lead.charAt(0).toLowerCase() + lead.slice(1) : lead;
  return [said(`${begun} ${rest}`.trim()), said(begun)];
};
const justBeforeMs = 10_000;
const startsWithWord: ReadonlySet<LoggedEvent['kind']> = new Set(['fault', 'rolled-back', 'breaker-open', 'lock-timeout']);

/** How far back an event can lie that is named beside a break, ms. */
const memoryMs = 60_000;

/** The last grave event before a break: what was done to the system, or happened in it; where there is none, what only answers to that. */
export const graveEventBefore = (events: readonly LoggedEvent[], breakMs: number): LoggedEvent | undefined => {
  const near = events.filter(({ tMs }) => tMs < breakMs && tMs >= breakMs - memoryMs);
  return near.findLast(({ kind }) => origins.has(kind)) ?? near.findLast(({ kind }) => reactions.has(kind));
};
const origins: ReadonlySet<LoggedEvent['kind']> = new Set(['crashed', 'oom', 'fault', 'deployed', 'rolled-back']);
const reactions: ReadonlySet<LoggedEvent['kind']> = new Set(['ejected', 'breaker-open', 'lock-timeout', 'scale-in']);

const resourceOf = (scene: Moment['scene'], { service, instance, what, sinceMs }: NonNullable<FirstToBreak['resource']>, lang: Moment['lang'], stage: Moment['words']): string => {
  const words = cardWords[lang];
  const name = partName(scene, instance === null ? service : `${service}.${instance}`);
  return words.why(name, what === 'pool' || what === 'lock' ? words.resource[what] : stage[what], `${what === 'cpu' || what === 'memory' ? '≈' : ''}${clock(sinceMs)}`);
};

/** `order-api.2` → `order-api #2`; a host and a lock have no instances, and an only instance has no number. */
const partName = ({ structure }: Moment['scene'], subject: string): string => {
  const { service, instance } = splitSubject(subject);
  return instance === null || structure.services.find(({ name }) => name === service)?.instancesMax === 1 ? service : `${service} #${instance}`;
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
    [Math.max(0, failed - lost - dead), lost + dead > 0 ? words.otherwiseFailed : words.failedRequests],
  ];
  const parts = facts.flatMap(([value, say]) => (value > 0 ? [say(count(value))] : []));
  return parts.length > 0 ? words.story(parts) : totalsOf(scene, lang);
};

const badOf = ({ run }: Moment['scene']): number => {
  const { refused, failed } = flowOf(run, 0, run.ticks.count - 1);
  return refused + failed;
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
export const ofWhom = (of: string, objectives: readonly PictureObjective[]): string => (objectives.some((other) => other.of !== of) ? `${of} ` : '');

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const objectiveText = (metric: string, words: Moment['words']): string => (metric in words.outcome ? words.outcome[metric as keyof typeof words.outcome] : metric);

/** The rows of one phase stand together, phases as the scenario has them, the whole run last. Where not all can be shown, what was not kept comes first. */
export const verdictRows = (verdicts: readonly Verdict[], { phases, system: { objectives } }: Run, isCut: boolean): readonly Verdict[] => {
  const order = Object.keys(phases);
  const phaseOf = ({ phase }: Verdict): number => (phase === null ? order.length : order.indexOf(phase));
  const objectiveOf = ({ objective }: Verdict): number => objectives.findIndex(({ name }) => name === objective);
  const sorted = verdicts.toSorted((a, b) => phaseOf(a) - phaseOf(b) || objectiveOf(a) - objectiveOf(b));
  return isCut ? sorted.toSorted((a, b) => Number(a.met ?? false) - Number(b.met ?? false)) : sorted;
};

/** What all verdicts rest on, when it is the same and untested for all: said once. */
export const commonNote = (verdicts: readonly Verdict[], lang: Moment['lang']): string | null => {
  const [first] = verdicts;
  if (!first || verdicts.length < 2 || first.restsOn.length === 0) return null;
  if (!verdicts.every(({ sure, restsOn }) => sure === 'untested' && restsOn.join() === first.restsOn.join())) return null;
  return cardWords[lang].allRestOn(first.restsOn.slice(0, 3).map(shortName).join(', '), Math.max(0, first.restsOn.length - 3));
};

/** The guesses that matter most to the variant of a moment, in words: a heading, how they are ordered, and of each its name, its value and what is known of it. */
export const guessLines = ({ scene: { study, run }, lang }: Moment): GuessLines | null => {
  const words = cardWords[lang];
  const { first, of, isTested } = guessesOf(study, run.variant);
  if (first.length === 0) return null;
  const own = study.verdicts.filter(({ variant }) => variant === run.variant);
  const broken = own.filter(({ met }) => met === false).length;
  const guesses = first.map(({ input, flipsAt, broken: brokenBy, all }): GuessLine => {
    const { path, value, unit, currency, basis, range } = input;
    const text = (one: number): string => inputValue(one, unit, lang, currency);
    const reach = flipsAt !== null ? words.turnsAt(nearInput(flipsAt, unit, lang, currency)) : broken > 0 ? words.reachesBroken(brokenBy, broken) : words.reaches(all, own.length);
    return { name: shortName(path), basis, value: figure(unit === 'cores' && value !== null ? words.cores(text(value)) : inputValue(value, unit, lang, currency), basis).text, about: `${range ? words.between(text(range[0]), text(range[1])) : words.noRange} · ${reach}` };
  });
  return { title: words.guesses(first.length, of, isTested), doubt: isTested ? null : words.notTestedYet, order: isTested ? words.byTurn : words.byReach, guesses };
};
export interface GuessLines {
  readonly title: string;
  /** That nothing was moved to find their order. */
  readonly doubt: string | null;
  readonly order: string;
  readonly guesses: readonly GuessLine[];
}
export interface GuessLine {
  readonly name: string;
  readonly basis: Basis;
  readonly value: string;
  /** Its range, and what rests on it. */
  readonly about: string;
}

/** What the other variants make of the objective that broke first here, or where all is kept, of one that another breaks. */
export const otherVariants = ({ scene, lang, words: stage }: Moment): string | null => {
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

/** Why a verdict is as sure as it is, in a line. */
export const noteOf = (verdict: Verdict, { scene, lang }: Moment): string => {
  const names = verdict.restsOn.slice(0, 3).map(shortName);
  if (verdict.sure === 'untested' && verdict.tested === null) return names.length > 0 ? cardWords[lang].untestedNote(names.join(', '), verdict.restsOn.length - names.length) : '';
  return whySure(verdict, inputsOf(scene.study, verdict.variant), lang, { name: shortName, figure: ({ text }) => text }).replace(/\.$/, '');
};

/** `values.order-cpu` → `order-cpu`, `services.api.handlers.work.0.wait` → `api.work.wait`: the names in it, without the words of the language between them. */
export const shortName = (path: string): string =>
  path
    .split('.')
    .filter((part) => !/^(values|services|traffic|handlers|to|\d+)$/.test(part))
    .join('.');
