import { inputsOf } from '../../../src/study/inputs.js';
import type { Run, Verdict } from '../../../src/study/types.js';
import { money, unknown } from '../../look/numbers.js';
import { counted, estimated, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { bold, clean, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { metText, resultText, surenessCell, whyText } from '../verdict-words.js';
import { objectiveText, resultHead, shownVerdicts } from './objectives.js';

/** With more rows than these the reference's own are left out; if that is not enough, all that agree with it. */
const mostRows = 24;

/** Every variant's verdicts, how sure each is, and what each variant costs. */
export const variantVerdicts = (report: ReportContext, runs: readonly [Run, ...Run[]]): void => {
  const { flow, study, words, prose, lang } = report;
  const { head, title } = words;
  const verdictsOf = ({ variant }: Run): Verdict[] => shownVerdicts(report, study.verdicts.filter((verdict) => verdict.variant === variant));
  const reference = verdictsOf(runs[0]);
  const others = runs.slice(1).flatMap(verdictsOf);
  const hasAll = reference.length + others.length <= mostRows;
  const shown = hasAll ? [...reference, ...others] : others.length <= mostRows ? others : others.filter((verdict) => !reference.some((other) => isAlike(verdict, other)));
  const left = hasAll ? 0 : others.length - shown.length;
  flow.space(8);
  if (others.length > 0) flow.h2(hasAll ? title.variantVerdicts : title.otherVerdicts);
  if (shown.length > 0) {
    drawTable(flow, {
      title: hasAll ? title.variantVerdicts : title.otherVerdicts,
      empty: words.nothing,
      size: 7.6,
      columns: [
        { title: head.variant, width: 62, weight: 600 }, { title: head.phase, width: 48 }, { title: head.objective, width: 74, mark: 'chosen' },
        { title: resultHead(study, lang), width: study.spread ? 88 : 58 }, { title: head.verdict, width: 50 }, { title: head.howSure, width: 56 }, { title: head.why, width: study.spread ? 123 : 153, mark: 'counted' },
      ],
      rows: shown.map((verdict): Cell[] => [clean(verdict.variant), clean(verdict.phase ?? words.wholeRun), objectiveText(report, verdict), resultText(verdict, lang), metText(verdict, lang), surenessCell(verdict, lang), whyText(verdict, inputsOf(study, verdict.variant), lang)]),
    });
  }
  const costs = runs.map(({ variant, cost: { amount, currency } }) => `${clean(variant)} ${amount === null || currency === null ? bold(say(unknown[lang], 'estimated')) : estimated(money(amount, currency))}`).join(', ');
  flow.paragraph([
    left > 0 ? prose('sections', 'verdictsLeft', { left: counted(String(left)), all: shown.length === 0, reference: clean(runs[0].variant) }) : '',
    prose('sections', 'variantCosts', { costs, seed: study.spread ? String(study.scenario.seed) : undefined }),
  ].filter(Boolean).join(' '), styles.note);
  flow.space(8);
};

/** The same verdict on the same question, as surely. */
const isAlike = (one: Verdict, other: Verdict): boolean => one.objective === other.objective && one.phase === other.phase && one.met === other.met && one.blind === other.blind && one.sure === other.sure;
