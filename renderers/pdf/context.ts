import { isGuess } from '../look/figure.js';
import { bytes, count, percent, span } from '../look/numbers.js';
import type { Span } from '../charts/time-plot.js';
import { splitSubject } from '../../src/study/events.js';
import type { Input, Lang, LoggedEvent, Run, Study, TrafficTotals } from '../../src/study/types.js';
import { eventSentence, type EventSentence } from '../../src/text/events.js';
import type { ReportWords } from '../../src/text/report.js';
import type { Attachment } from './book.js';
import type { Flow } from './flow.js';
import type { Prose } from './prose.js';
import { clean, say } from './rich.js';

/** What every page of the report is made from. */
export interface ReportContext {
  readonly flow: Flow;
  readonly study: Study;
  /** The variant that the pages are about. */
  readonly run: Run;
  readonly lang: Lang;
  readonly words: ReportWords;
  readonly prose: Prose;
  readonly command: string;
  readonly attachments: readonly (Attachment & { readonly sha256: string })[];
  /** What is the same on every laying of the report, such as a drawing, made once. */
  readonly remember: <T>(key: string, make: () => T) => T;
}

export const sumOfReasons = (reasons: Readonly<Record<string, number>>): number => Object.values(reasons).reduce((sum, value) => sum + value, 0);

export interface Outcomes {
  readonly offered: number;
  readonly good: number;
  readonly declined: number;
  readonly refused: number;
  readonly failed: number;
  readonly inFlight: number;
}

export const outcomesOf = ({ offered, good, declined, refused, failed, inFlight }: TrafficTotals): Outcomes => ({ offered, good, declined: sumOfReasons(declined), refused: sumOfReasons(refused), failed: sumOfReasons(failed), inFlight });

/** Good of valid (good, refused and failed); null when nothing valid ended. */
export const goodShare = (totals: TrafficTotals): number | null => {
  const { good, refused, failed } = outcomesOf(totals);
  const valid = good + refused + failed;
  return valid === 0 ? null : good / valid;
};

/** The traffic that the first page is about: the one of the first objective to break, else of any objective, else the first. */
export const mainTraffic = ({ run }: ReportContext): string | null => {
  const names = Object.keys(run.traffic);
  const first = run.system.objectives.find(({ name }) => name === run.firstToBreak?.objective) ?? run.system.objectives.find(({ of }) => names.includes(of));
  return first && names.includes(first.of) ? first.of : (names[0] ?? null);
};

/** The phase that is shaded in small charts: where the first objective breaks. */
export const shadedPhase = ({ run }: ReportContext): Span | null => {
  const name = run.firstToBreak?.phase;
  const phase = name ? run.phases[name] : undefined;
  return name && phase ? { name, fromMs: phase.fromMs, toMs: phase.toMs } : null;
};

/** Inputs whose figures are guesses: assumed, or filled in by the tool where the world decides. */
export const guessesOf = (inputs: readonly Input[]): Input[] => inputs.filter(({ basis, setting }) => isGuess(basis) && !(basis === 'default' && setting));

/** The band beside known inputs: solid only where something was measured. */
export const knownBand = (inputs: readonly Input[], words: ReportWords): { readonly kind: 'measured' | 'stated'; readonly label: string } =>
  inputs.some(({ basis }) => basis === 'measured') ? { kind: 'measured', label: words.band.known } : { kind: 'stated', label: words.band.stated };

/** Counted and estimated figures inside a sentence. */
export const counted = (text: string): string => say(text, 'counted');
export const estimated = (text: string): string => say(text, 'estimated');

/** An event in a sentence. Its figures share the mark of its row or key. */
export const sentenceOf = (event: LoggedEvent, lang: Lang): EventSentence => {
  const { lead, rest } = eventSentence(event, lang, {
    subject: (subject) => {
      const { service, instance } = splitSubject(subject);
      return instance === null ? service : `${service} #${instance}`;
    },
    count,
    share: percent,
    bytes,
    span: (ms) => span(ms, lang),
  });
  return { lead: clean(lead), rest: clean(rest) };
};
