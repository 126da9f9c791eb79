import type { Basis, FirstToBreak, PictureObjective, Verdict } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import { figure } from '../../look/figure.js';
import { clock, condition, count, inputValue, perSecond, resultValue, span } from '../../look/numbers.js';
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
export const whyOf = ({ scene, lang, words: stage }: Moment): readonly string[] => {
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
export const ofWhom = (of: string, objectives: readonly PictureObjective[]): string => (objectives.some((other) => other.of !== of) ? `${of} ` : '');

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const objectiveText = (metric: string, words: Moment['words']): string => (metric in words.outcome ? words.outcome[metric as keyof typeof words.outcome] : metric);

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
    const reach = flipsAt !== null ? words.turnsAt(text(flipsAt)) : broken > 0 ? words.reachesBroken(brokenBy, broken) : words.reaches(all, own.length);
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

export const noteOf = (verdict: Verdict, { scene, lang }: Moment): string => {
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
export const shortName = (path: string): string =>
  path
    .split('.')
    .filter((part) => !/^(values|services|traffic|handlers|to|\d+)$/.test(part))
    .join('.');
