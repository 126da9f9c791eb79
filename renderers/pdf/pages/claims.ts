import { beganAtMs } from '../../../src/study/events.js';
import { basisOfMetric, isAsTold } from '../../../src/study/judging.js';
import { clock, condition, count, resultValue, unknown } from '../../look/numbers.js';
import type { ClaimResult, Metric, Unit } from '../../../src/study/types.js';
import { comparedText } from '../../../src/text/compared.js';
import { reportWords } from '../../../src/text/report.js';
import { counted, type ReportContext } from '../context.js';
import type { Flow } from '../flow.js';
import type { Facts } from '../prose.js';
import { bold, clean, faint, judged, say } from '../rich.js';
import { drawTable, tableHeight, type Cell, type Table } from '../table.js';

/** A table lower than this is kept whole under its heading; a higher one would leave too much of a page free. */
const wholeRoom = (flow: Flow): number => flow.height / 2;

/** What the file promises of its own run, and what came of it. */
export const claims = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  const { head } = words;
  if (study.claims.length === 0) return;
  const table: Table = {
    title: words.title.claims,
    empty: words.nothing,
    columns: [{ title: head.claim, width: 192 }, { title: head.variant, width: 92 }, { title: head.target, width: 98, mark: 'chosen' }, { title: head.actual, width: 59 }, { title: head.verdict, width: 60 }],
    size: 7.6,
    rows: study.claims.map((claim): Cell[] => [
      `${bold(clean(claim.claim))} ${claim.order ? orderText(claim, report) : clean(claim.says?.[lang] ?? '')}`,
      [clean(claim.variant), claim.phase ? faint(`(${clean(claim.phase)})`) : ''].join(' '),
      claim.order ? faint(words.none) : targetText(claim, report),
      claim.order ? faint(words.none) : actualText(claim, report),
      verdictText(claim, report),
    ]),
  };
  const height = tableHeight(table);
  // A table that has room on a page is not cut.
  flow.anchor('claims');
  flow.h2(words.title.claims, prose('sections', 'claims'), height < wholeRoom(flow) ? height : 0);
  drawTable(flow, table);
};

/** How many claims end as the file says, for the first page. */
export const claimsFacts = ({ study }: ReportContext): Facts => {
  const asTold = study.claims.filter(isAsTold).length;
  const denied = study.claims.filter((claim) => !claim.expected && isAsTold(claim)).length;
  const otherwise = study.claims.length - asTold;
  return {
    claims: study.claims.length > 0 ? counted(count(study.claims.length)) : undefined,
    asTold: counted(count(asTold)),
    denied: denied > 0 ? counted(count(denied)) : undefined,
    otherwise: otherwise > 0 ? counted(count(otherwise)) : undefined,
  };
};

/** The metric's name and its bound: `CPU 0.5 ± 2%`. */
const targetText = ({ target, vs, variant, phase }: ClaimResult, { lang }: ReportContext): string => {
  const { metric, bound } = partsOf(target);
  return `${reportWords[lang].metric[metric] ?? metric} ${clean(comparedText(condition(clean(bound)), vs, { variant, phase }, lang))}`;
};

const actualText = ({ target, unit, actual }: ClaimResult, { lang }: ReportContext): string =>
  bold(say(unit === null ? unknown[lang] : finely(actual, unit, lang), basisOfMetric(partsOf(target).metric)));

const partsOf = (target: string): { metric: Metric; bound: string } => {
  const [metric = '', ...bound] = target.split(' ');
  return { metric: metric as Metric, bound: bound.join(' ') };
};

/** A rate with one decimal where a claim may hang on it: `45.5/s` beside a target of 45.5/s. */
const finely = (value: number | null, unit: Unit, lang: ReportContext['lang']): string =>
  unit === '/s' && value !== null && value < 99.95 ? `${Number(value.toFixed(value < 9.995 ? 2 : 1))}/s` : resultValue(value, unit, lang);

/** Some claims are told not to hold: then that they do not is no surprise, and that they do is one. */
const verdictText = (claim: ClaimResult, { words }: ReportContext): string => {
  const verdict = judged(claim.held, claim.held ? words.held : words.notHeld);
  return claim.expected ? verdict : `${verdict} ${faint(isAsTold(claim) ? words.asTold : words.againstTold)}`;
};

/** What an order of events promises, with the time of each: `saturated order-api 04:04 → ejected order-api 04:30`. */
const orderText = ({ order = [], says, variant }: ClaimResult, { study, lang }: ReportContext): string => {
  const events = order.map(({ event, tMs }) => {
    const logged = tMs === null ? undefined : study.runs[variant]?.eventLog.find((other) => beganAtMs(other) === tMs && event.startsWith(other.kind));
    return `${clean(event)} ${say(tMs === null ? unknown[lang] : clock(tMs), logged?.basis ?? 'counted')}`;
  }).join(' → ');
  return says ? `${clean(says[lang])}: ${events}` : events;
};
