import type { Lang } from '../scenario/model.js';
import type { LoggedEvent } from '../study/types.js';
import { particle, withParticle } from './particles.js';
import { reasonText } from './reasons.js';

/** What happened, and why or what follows: the bold lead and the plain rest of a caption. Both are whole sentences. */
export interface EventSentence {
  readonly lead: string;
  readonly rest: string;
}

/** How the sentence writes names and numbers; the renderers give their own, so that a number looks the same everywhere. */
export interface EventFormats {
  /** `order-api.2` → `#2` or `order-api #2`. */
  readonly subject: (subject: string) => string;
  readonly count: (value: number) => string;
  /** Share of 0..1. */
  readonly share: (value: number) => string;
  readonly bytes: (value: number) => string;
  readonly span: (ms: number) => string;
  /** Time that a service's autoscaler averages over, ms; left out where that is not known. */
  readonly averagedOverMs?: (service: string) => number | null;
}

/** Says an event of the log in a sentence. Estimated figures carry ≈, counted ones do not. */
export const eventSentence = (event: LoggedEvent, lang: Lang, formats: EventFormats): EventSentence => {
  const number = (key: string): number => Number(event.data[key] ?? 0);
  const text = (key: string): string => String(event.data[key] ?? '');
  return sentences[lang][event.kind]({ event, name: formats.subject(event.subject), number, text, f: formats, cause: reasonText(event.cause, lang) });
};

interface Facts {
  readonly event: LoggedEvent;
  readonly name: string;
  readonly number: (key: string) => number;
  readonly text: (key: string) => string;
  readonly f: EventFormats;
  readonly cause: string;
}
type Sentence = (facts: Facts) => EventSentence;

/** `alb.order-api` → `alb`. */
const callerOf = (link: string): string => link.slice(0, Math.max(0, link.indexOf('.'))) || link;
const plural = (value: number, one: string, many: string, f: EventFormats): string => `${f.count(value)} ${value === 1 ? one : many}`;

/** ` over 15 s`: what the autoscaler's level is a mean of. */
const over = ({ subject }: LoggedEvent, f: EventFormats, lang: Lang): string => {
  const ms = f.averagedOverMs?.(subject) ?? null;
  return ms === null ? '' : lang === 'ko' ? `${f.span(ms)} 평균 ` : ` over ${f.span(ms)}`;
};

/** A figure that a formula computed carries its sign into the sentence. */
const guessed = (event: LoggedEvent): string => (event.basis === 'estimated' ? '≈' : '');

const en: Readonly<Record<LoggedEvent['kind'], Sentence>> = {
  saturated: ({ name, event, f, number }) => ({
    lead: `${name} is saturated.`,
    rest:
      event.cause === 'cpu' ? 'Its ≈CPU is at its ceiling: requests queue up, and a full queue refuses the rest.'
      : event.cause === 'memory' ? 'Its ≈memory is near its limit.'
      : `All its ${f.count(number('limit'))} ${event.cause === 'pool' ? 'connections' : 'slots'} are in use and requests wait.`,
  }),
  ejected: ({ name, cause, f, number, text }) => ({
    lead: `${callerOf(text('link'))} ejects ${name}.`,
    rest: `${plural(number('bad'), 'check', 'checks', f)} failed in a row (${cause}); ${number('inRotation') === 0 ? 'none is left in rotation.' : `${plural(number('inRotation'), 'instance stays', 'instances stay', f)} in rotation.`}`,
  }),
  ready: ({ event, name, f, number, text }) => ({ lead: event.cause === 'probes' ? `${callerOf(text('link'))} puts ${name} back.` : `${callerOf(text('link'))} adds ${name} to its rotation.`, rest: `It passed ${plural(number('good'), 'check', 'checks', f)}; ${f.count(number('inRotation'))} now in rotation.` }),
  oom: ({ name, f, number }) => ({
    lead: `${name} was OOM-killed.`,
    rest: `Its ${f.count(number('running'))} running and ${f.count(number('queued'))} queued requests failed at once, at ≈${f.bytes(number('limitBytes'))} of memory.`,
  }),
  crashed: ({ name, f, number }) => ({ lead: `${name} crashed.`, rest: `Its ${f.count(number('running'))} running and ${f.count(number('queued'))} queued requests failed at once.` }),
  back: ({ name, f, number }) => ({ lead: `${name} is back after ≈${f.span(number('downMs'))}.`, rest: number('warmUpMs') > 0 ? `It warms up for ${f.span(number('warmUpMs'))}.` : '' }),
  'scale-out': ({ name, f, number, event, cause }) => ({
    lead: `${name} scales out from ${f.count(number('from'))} to ${f.count(number('to'))}.`,
    rest: `${cause === 'cpu' ? 'CPU' : sentence(cause)} averaged ${guessed(event)}${level(event.cause, number('metric'), f)}${over(event, f, 'en')}, target ${level(event.cause, number('target'), f)}; help comes in ≈${f.span(number('bootMs'))}.`,
  }),
  'scale-in': ({ name, f, number, event, cause }) => ({
    lead: `${name} scales in from ${f.count(number('from'))} to ${f.count(number('to'))}.`,
    rest: `${cause === 'cpu' ? 'CPU' : sentence(cause)} averaged ${guessed(event)}${level(event.cause, number('metric'), f)}${over(event, f, 'en')}, target ${level(event.cause, number('target'), f)}.`,
  }),
  booted: ({ name, f, number }) => ({ lead: `${name} has booted.`, rest: `It took ≈${f.span(number('bootMs'))}; traffic comes after its first good check.` }),
  gone: ({ name, f, number }) => ({ lead: `${name} is gone.`, rest: number('lost') > 0 ? `${plural(number('lost'), 'request was', 'requests were', f)} still running and failed.` : 'It had finished its requests.' }),
  'breaker-open': ({ name, f, number }) => ({ lead: `The breaker ${name} opens.`, rest: `${f.share(number('share'))} of its calls failed; it refuses them from now on.` }),
  'breaker-closed': ({ name }) => ({ lead: `The breaker ${name} closes.`, rest: 'Its trial calls went well.' }),
  'lock-timeout': ({ name }) => ({ lead: `A wait for the lock ${name} timed out.`, rest: '' }),
  fault: ({ name, text }) => ({ lead: `Fault ${name} begins.`, rest: text('target') ? `It hits ${text('target')}.` : '' }),
  'fault-end': ({ name }) => ({ lead: `Fault ${name} ends.`, rest: '' }),
  deployed: ({ name }) => ({ lead: `${name} is deployed.`, rest: '' }),
  'rolled-back': ({ name, f, number }) => ({ lead: `${name} is rolled back.`, rest: `${plural(number('failing'), 'new instance', 'new instances', f)} failed.` }),
};

const ko: Readonly<Record<LoggedEvent['kind'], Sentence>> = {
  saturated: ({ name, event, f, number }) => ({
    lead: `${withParticle(name, '이/가')} 포화되었습니다.`,
    rest:
      event.cause === 'cpu' ? '≈CPU가 한계에 닿아, 더 들어오는 요청은 기다리다가 거절됩니다.'
      : event.cause === 'memory' ? '≈메모리가 한도에 가깝습니다.'
      : `${event.cause === 'pool' ? '커넥션' : '슬롯'} ${f.count(number('limit'))}개가 모두 쓰이고 요청이 기다립니다.`,
  }),
  ejected: ({ name, cause, f, number, text }) => ({
    lead: `${withParticle(callerOf(text('link')), '이/가')} ${withParticle(name, '을/를')} 제외했습니다.`,
    rest: `검사 ${f.count(number('bad'))}회 연속 실패(${cause}), ${number('inRotation') === 0 ? '분배 대상이 남지 않았습니다.' : `분배 대상은 ${f.count(number('inRotation'))}대 남았습니다.`}`,
  }),
  ready: ({ event, name, f, number, text }) => ({ lead: `${withParticle(callerOf(text('link')), '이/가')} ${withParticle(name, '을/를')} ${event.cause === 'probes' ? '다시 ' : ''}투입했습니다.`, rest: `검사 ${f.count(number('good'))}회${number('good') > 1 ? ' 연속' : ''} 통과, 분배 대상 ${f.count(number('inRotation'))}대.` }),
  oom: ({ name, f, number }) => ({
    lead: `${withParticle(name, '이/가')} OOM으로 강제 종료되었습니다.`,
    rest: `처리 중 ${f.count(number('running'))}건과 대기 ${f.count(number('queued'))}건이 즉시 실패했습니다. 메모리 ≈${f.bytes(number('limitBytes'))} 도달.`,
  }),
  crashed: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} 비정상 종료되었습니다.`, rest: `처리 중 ${f.count(number('running'))}건과 대기 ${f.count(number('queued'))}건이 즉시 실패했습니다.` }),
  back: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} ≈${f.span(number('downMs'))} 만에 돌아왔습니다.`, rest: number('warmUpMs') > 0 ? `${f.span(number('warmUpMs'))} 동안 예열합니다.` : '' }),
  'scale-out': ({ name, f, number, event, cause }) => ({
    lead: `${withParticle(name, '을/를')} ${f.count(number('from'))}대에서 ${f.count(number('to'))}대로 늘립니다.`,
    rest: `${cause} ${over(event, f, 'ko')}${guessed(event)}${level(event.cause, number('metric'), f)}, 목표 ${level(event.cause, number('target'), f)}. 새 인스턴스는 ≈${f.span(number('bootMs'))} 뒤에 뜹니다.`,
  }),
  'scale-in': ({ name, f, number, event, cause }) => ({
    lead: `${withParticle(name, '을/를')} ${f.count(number('from'))}대에서 ${f.count(number('to'))}대로 줄입니다.`,
    rest: `${cause} ${over(event, f, 'ko')}${guessed(event)}${level(event.cause, number('metric'), f)}, 목표 ${level(event.cause, number('target'), f)}.`,
  }),
  booted: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} 부팅을 마쳤습니다.`, rest: `≈${f.span(number('bootMs'))} 걸렸고, 첫 검사를 통과하면 트래픽을 받습니다.` }),
  gone: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} 내려갔습니다.`, rest: number('lost') > 0 ? `남아 있던 요청 ${f.count(number('lost'))}건이 실패했습니다.` : '남은 요청 없이 끝났습니다.' }),
  'breaker-open': ({ name, f, number }) => ({ lead: `차단기 ${withParticle(name, '이/가')} 열렸습니다.`, rest: `호출의 ${f.share(number('share'))} 실패, 이제부터 거절합니다.` }),
  'breaker-closed': ({ name }) => ({ lead: `차단기 ${withParticle(name, '이/가')} 닫혔습니다.`, rest: '시험 호출이 성공했습니다.' }),
  'lock-timeout': ({ name }) => ({ lead: `잠금 ${name} 대기 시간이 초과되었습니다.`, rest: '' }),
  fault: ({ name, text }) => ({ lead: `장애 ${withParticle(name, '이/가')} 시작됩니다.`, rest: text('target') ? `대상: ${text('target')}` : '' }),
  'fault-end': ({ name }) => ({ lead: `장애 ${withParticle(name, '이/가')} 끝났습니다.`, rest: '' }),
  deployed: ({ name }) => ({ lead: `${name} 배포를 마쳤습니다.`, rest: '' }),
  'rolled-back': ({ name, f, number }) => ({ lead: `${withParticle(name, '을/를')} 이전 버전으로 되돌렸습니다.`, rest: `새 인스턴스 ${f.count(number('failing'))}대가 실패했습니다.` }),
};

const sentences: Readonly<Record<Lang, typeof en>> = { en, ko };

/** An autoscaler's level: a share for cpu and slots, a length for queue. */
const level = (metric: string, value: number, f: EventFormats): string => (metric === 'queue' ? f.count(value) : f.share(value));
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Names in a row: `#1, #2 and #3`; `#1, #2, #3`. */
export const listed = (names: readonly string[], lang: Lang): string =>
  names.length < 2 ? (names[0] ?? '') : lang === 'ko' ? names.join(', ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** One sentence for the same kind of event at several subjects in one tick. */
export const joinedLead = (kind: LoggedEvent['kind'], names: readonly string[], caller: string, lang: Lang): string | null => {
  const all = listed(names, lang);
  const forms: Partial<Record<LoggedEvent['kind'], readonly [string, string]>> = {
    saturated: [`${all} are saturated.`, `${all}${particle(all, '이/가')} 포화되었습니다.`],
    ejected: [`${caller} ejects ${all}.`, `${withParticle(caller, '이/가')} ${withParticle(all, '을/를')} 제외했습니다.`],
    ready: [`${caller} adds ${all} to its rotation.`, `${withParticle(caller, '이/가')} ${withParticle(all, '을/를')} 투입했습니다.`],
    oom: [`${all} were OOM-killed.`, `${withParticle(all, '이/가')} OOM으로 강제 종료되었습니다.`],
    crashed: [`${all} crashed.`, `${withParticle(all, '이/가')} 비정상 종료되었습니다.`],
    back: [`${all} are back.`, `${withParticle(all, '이/가')} 돌아왔습니다.`],
    booted: [`${all} have booted.`, `${withParticle(all, '이/가')} 부팅을 마쳤습니다.`],
    gone: [`${all} are gone.`, `${withParticle(all, '이/가')} 내려갔습니다.`],
  };
  return forms[kind]?.[lang === 'ko' ? 1 : 0] ?? null;
};
