import type { Run } from '../../../src/study/types.js';
import { listed } from '../../../src/text/events.js';
import type { ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { guessPlace } from '../places.js';
import { bold, clean, faint, linkTo, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { claims } from './claims.js';
import { compared } from './compared.js';
import { effects } from './effects.js';
import { variantVerdicts } from './variant-verdicts.js';

/** What each variant changed and what that did, and what the file claims of all this. */
export const variantsPage = (report: ReportContext): void => {
  const { flow, study, words, prose } = report;
  const runs = Object.values(study.runs);
  flow.h1(words.title.variants);
  if (runs.length === 1) flow.paragraph(prose('sections', 'variantsNone'), styles.lead);
  else comparison(report, runs as [Run, ...Run[]]);
  flow.space(12);
  flow.band('counted', '', () => claims(report));
};

const comparison = (report: ReportContext, runs: readonly [Run, ...Run[]]): void => {
  const { flow, words, prose, lang } = report;
  const reloaded = runs.filter(({ overrides }) => overrides.some(({ path }) => path.startsWith('traffic.') || path === 'duration'));
  flow.paragraph(prose('sections', 'variants', {
    closed: runs.some(({ system }) => system.traffic.some(({ kind }) => kind === 'closed')),
    seeds: report.study.spread !== null,
    reloaded: reloaded.length > 0 ? listed(reloaded.map(({ variant }) => clean(variant)), lang) : undefined,
  }), styles.lead);
  flow.space(8);
  changes(report, runs);
  flow.band('counted', words.band.counted, () => {
    compared(report, runs);
    effects(report, runs);
    variantVerdicts(report, runs);
  });
};

const changes = ({ flow, words, prose }: ReportContext, runs: readonly Run[]): void => {
  flow.h2(words.title.changes);
  drawTable(flow, {
    title: words.title.changes,
    empty: words.nothing,
    columns: [{ title: words.head.variant, width: 132, weight: 600 }, { title: words.head.setting, width: 193 }, { title: words.head.value, width: 176 }],
    rows: runs.flatMap(({ variant, overrides }): Cell[][] =>
      overrides.length === 0
        ? [[clean(variant), faint(prose('sections', 'reference')), '']]
        : overrides.map(({ path, value }, index) => [index === 0 ? clean(variant) : '', flow.has(guessPlace(path)) ? linkTo(guessPlace(path), clean(path)) : clean(path), value === 'null' ? faint(words.removed) : bold(say(clean(value), 'chosen'))]),
    ),
  });
  flow.space(8);
};
