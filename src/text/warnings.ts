import type { Lang } from '../scenario/model.js';
import type { Warning } from '../study/types.js';
import { listed } from './events.js';

/** How warnings write names and numbers; the renderers give their own. */
export interface WarningFormats {
  readonly subject: (subject: string) => string;
  readonly count: (value: number) => string;
  /** Share of 0..1. */
  readonly share: (value: number) => string;
  /** A number that the file sets for a link's outlier detection, as text. */
  readonly setting: (text: string, link: string) => string;
}

/** What a reader must know before they trust the run's figures, in sentences; what one traffic lost in several phases is one of them. */
export const warningTexts = (warnings: readonly Warning[], lang: Lang, formats: WarningFormats): string[] => {
  const ofRun = warnings.filter(({ kind, phase }) => kind === 'outlier-never' || phase === null);
  return ofRun.map((warning) => (warning.kind === 'dropped' ? dropped(warning, warnings, lang, formats) : outlierNever(warning, lang, formats)));
};

const dropped = ({ subject, data }: Warning, all: readonly Warning[], lang: Lang, f: WarningFormats): string => {
  const phases = all.filter((other) => other.kind === 'dropped' && other.subject === subject && other.phase !== null).map((other) => `${f.subject(other.phase!)} (${f.share(other.data['share'])})`);
  const name = f.subject(subject);
  if (lang === 'ko') {
    const where = phases.length > 0 ? ` 구간별로는 ${listed(phases, lang)}입니다. 이 구간의 수치는` : ' 그때의 수치는';
    return `${name}: 부하 생성기가 시나리오대로라면 보냈어야 할 요청의 ${f.share(data['share'])}, ${f.count(data['dropped'])}건을 보내지 못했습니다.${where} 시스템에 대해 아무것도 말해 주지 않습니다.`;
  }
  const where = phases.length > 0 ? `, in ${listed(phases, lang)}. ${phases.length === 1 ? 'That phase says' : 'Those phases say'}` : '. While it did, figures say';
  return `${name}: the load generator dropped ${f.count(data['dropped'])} arrivals, ${f.share(data['share'])} of those that the file asks for${where} nothing about the system.`;
};

const outlierNever = ({ subject, data }: Warning, lang: Lang, f: WarningFormats): string => {
  const [targets, share] = [f.count(data['targets']), f.setting(percent(data['maxEjected']), subject)];
  return lang === 'ko'
    ? `${f.subject(subject)}: 이상 감지로는 아무도 제외되지 않습니다. 한 번에 제외할 수 있는 ${share}는 인스턴스 ${targets}대 중 한 대에도 못 미칩니다.`
    : `${f.subject(subject)}: outlier detection can never eject anybody: ${share} of ${targets} instances, the most that may be out at once, is less than one.`;
};

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))}%`;
