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
  /** Given where the sentence stands while time passes: what is to come is said with its time of day. */
  readonly clock?: (ms: number) => string;
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

/** What went down with a process: only what was there is counted. */
const lostEn = ({ f, number }: Pick<Facts, 'f' | 'number'>): string => {
  const parts = (['running', 'queued'] as const).filter((key) => number(key) > 0);
  if (parts.length === 0) return 'No request was in it';
  return `Its ${parts.map((key) => `${f.count(number(key))} ${key}`).join(' and ')} ${number('running') + number('queued') === 1 ? 'request' : 'requests'} failed at once`;
};
const lostKo = ({ f, number }: Pick<Facts, 'f' | 'number'>): string => {
  const parts = ([['running', '처리 중'], ['queued', '대기']] as const).flatMap(([key, word]) => (number(key) > 0 ? [`${word} ${f.count(number(key))}건`] : []));
  return parts.length === 0 ? '처리 중이던 요청은 없었습니다.' : `${parts.join('과 ')}이 즉시 실패했습니다.`;
};

/** ` over 15 s`: what the autoscaler's level is a mean of. */
const over = ({ subject }: LoggedEvent, f: EventFormats, lang: Lang): string => {
  const ms = f.averagedOverMs?.(subject) ?? null;
  return ms === null ? '' : lang === 'ko' ? `${f.span(ms)} 평균 ` : ` over ${f.span(ms)}`;
};

/** A figure that a formula computed carries its sign into the sentence. */
const guessed = (event: LoggedEvent): string => (event.basis === 'estimated' ? '≈' : '');

/** `app.db` → `app → db`; a service or an instance stays. */
export const linkText = (name: string): string => (/^[^.]+\.\d+$/.test(name) ? name.replace('.', ' #') : name.replace('.', ' → '));

/** What a fault of a verb does to its target. */
export const faultText: Readonly<Record<Lang, Readonly<Record<string, (target: string) => string>>>> = {
  en: {
    crash: (target) => `The process of ${target} ends.`,
    slow: (target) => `Everything takes longer in ${target}.`,
    steal: (target) => `Somebody else takes CPU away from ${target}.`,
    freeze: (target) => `The process of ${target} stands still and answers nobody.`,
    errors: (target) => `A share of what ${target} answers is an error.`,
    leak: (target) => `The memory of ${target} grows and is not given back.`,
    hog: (target) => `Memory of ${target} is taken away at once.`,
    latency: (target) => (target.includes('→') ? `Messages on ${target} are late.` : `Every message that leaves ${target} is late, answers and probe answers too.`),
    loss: (target) => `Messages ${target.includes('→') ? 'on' : 'of'} ${target} get lost and are sent again.`,
    blackhole: (target) => (target.includes('→') ? `Nothing gets through on ${target} any more.` : `No answer comes from ${target} any more.`),
    cut: (target) => `Connections ${target.includes('→') ? 'on' : 'to'} ${target} are refused at once.`,
    deploy: (target) => `A new version of ${target} is rolled out.`,
  },
  ko: {
    crash: (target) => `${target} 프로세스가 종료됩니다.`,
    slow: (target) => `${target}의 모든 처리가 느려집니다.`,
    steal: (target) => `${target}의 CPU를 다른 작업이 가져갑니다.`,
    freeze: (target) => `${withParticle(target, '이/가')} 멈춰서 응답하지 않습니다.`,
    errors: (target) => `${target} 응답 일부가 오류로 바뀝니다.`,
    leak: (target) => `${target}의 메모리가 계속 늘어나고 반환되지 않습니다.`,
    hog: (target) => `${target}의 메모리를 다른 작업이 한꺼번에 차지합니다.`,
    latency: (target) => (target.includes('→') ? `${target} 구간의 메시지가 늦어집니다.` : `${target}에서 나가는 모든 메시지가 늦어집니다. 응답과 검사 응답도 포함됩니다.`),
    loss: (target) => `${target}${target.includes('→') ? ' 구간' : ''}의 메시지가 유실되어 다시 보내집니다.`,
    blackhole: (target) => (target.includes('→') ? `${target} 구간으로 아무것도 지나가지 못합니다.` : `${withParticle(target, '이/가')} 아무 응답도 하지 않습니다.`),
    cut: (target) => `${target.includes('→') ? `${target} 구간의` : `${withParticle(target, '으로/로')} 가는`} 연결이 즉시 거부됩니다.`,
    deploy: (target) => `${withParticle(target, '을/를')} 새 버전으로 바꾸기 시작합니다.`,
  },
};

const en: Readonly<Record<LoggedEvent['kind'], Sentence>> = {
  saturated: ({ name, event, f, number }) => ({
    lead: event.cause === 'lock' ? `The lock ${name} is saturated.` : `${name} is saturated.`,
    rest:
      event.cause === 'cpu' ? 'Its ≈CPU is at its ceiling: every request takes longer.'
      : event.cause === 'memory' ? 'Its ≈memory is near its limit.'
      : event.cause === 'lock' ? 'Somebody waits for it nearly all the time: one request after the other.'
      : `${number('limit') === 1 ? `Its only ${event.cause === 'pool' ? 'connection' : 'slot'} is` : `All its ${f.count(number('limit'))} ${event.cause === 'pool' ? 'connections' : 'slots'} are`} in use and requests wait.`,
  }),
  ejected: ({ name, event, cause, f, number, text }) => ({
    lead: `${callerOf(text('link'))} ejects ${name}.`,
    rest: `${event.cause === 'outlier' ? `${plural(number('bad'), 'error', 'errors', f)} in a row` : `${plural(number('bad'), 'check', 'checks', f)} failed in a row (${cause})`}; ${number('inRotation') === 0 ? 'none is left in rotation.' : `${plural(number('inRotation'), 'instance stays', 'instances stay', f)} in rotation.`}`,
  }),
  ready: ({ event, name, f, number, text }) => ({
    lead: event.cause === 'probes' || event.cause === 'time' ? `${callerOf(text('link'))} puts ${name} back.` : `${callerOf(text('link'))} adds ${name} to its rotation.`,
    rest: `${event.cause === 'time' ? 'Its time out is over' : `It passed ${plural(number('good'), 'check', 'checks', f)}`}; ${f.count(number('inRotation'))} now in rotation.`,
  }),
  oom: ({ name, event, f, number }) => ({
    lead: `${name} was OOM-killed.`,
    rest: `${lostEn({ f, number })}, ${event.cause === 'host memory' ? `the largest when its machine ran out of ≈${f.bytes(number('limitBytes'))}.` : `at ≈${f.bytes(number('limitBytes'))} of memory.`}`,
  }),
  crashed: ({ name, f, number }) => ({ lead: `${name} crashed.`, rest: `${lostEn({ f, number })}.` }),
  back: ({ name, f, number }) => ({ lead: `${name} is back after ≈${f.span(number('downMs'))}.`, rest: number('warmUpMs') > 0 ? `It warms up for ${f.span(number('warmUpMs'))}.` : '' }),
  'scale-out': ({ name, f, number, event, cause }) => ({
    lead: `${name} scales out from ${f.count(number('from'))} to ${f.count(number('to'))}.`,
    rest: `${cause === 'cpu' ? 'CPU' : sentence(cause)} averaged ${guessed(event)}${level(event.cause, number('metric'), f)}${over(event, f, 'en')}, target ${level(event.cause, number('target'), f)}; help ${f.clock ? `takes ≈${f.span(number('bootMs'))}, until ≈${f.clock(event.tMs + number('bootMs'))}` : `comes in ≈${f.span(number('bootMs'))}`}.`,
  }),
  'scale-in': ({ name, f, number, event, cause }) => ({
    lead: `${name} scales in from ${f.count(number('from'))} to ${f.count(number('to'))}.`,
    rest: `${cause === 'cpu' ? 'CPU' : sentence(cause)} averaged ${guessed(event)}${level(event.cause, number('metric'), f)}${over(event, f, 'en')}, target ${level(event.cause, number('target'), f)}.`,
  }),
  booted: ({ name, f, number }) => ({ lead: `${name} has booted.`, rest: `It took ≈${f.span(number('bootMs'))}.` }),
  gone: ({ name, f, number }) => ({ lead: `${name} is gone.`, rest: number('lost') > 0 ? `${plural(number('lost'), 'request was', 'requests were', f)} still running and failed.` : 'It had finished its requests.' }),
  'breaker-open': ({ event, f, number }) => ({ lead: `The breaker ${linkText(event.subject)} opens.`, rest: `${f.share(number('share'))} of its calls failed; it refuses them from now on.` }),
  'breaker-closed': ({ event }) => ({ lead: `The breaker ${linkText(event.subject)} closes.`, rest: 'Its trial calls went well; all calls go through again.' }),
  'lock-timeout': ({ name, f, number }) => ({ lead: `A wait for the lock ${name} timed out.`, rest: `After ${f.span(number('waitMs'))}${number('waiting') > 0 ? `; ${plural(number('waiting'), 'request still waits', 'requests still wait', f)} for it` : ''}.` }),
  fault: ({ name, event, text }) => ({ lead: event.cause === 'deploy' ? `Deployment ${name} begins.` : `Fault ${name} begins.`, rest: faultText.en[event.cause]?.(linkText(text('target'))) ?? `It hits ${linkText(text('target'))}.` }),
  'fault-end': ({ name, event, text }) => (event.cause === 'deploy' ? { lead: `Deployment ${name} is over.`, rest: '' } : { lead: `Fault ${name} ends.`, rest: text('target') ? `${linkText(text('target'))} is left alone again.` : '' }),
  deployed: ({ name, event, f, number }) => ({ lead: `${name} is deployed.`, rest: `${plural(number('replaced'), 'instance was', 'instances were', f)} replaced, ${event.cause === 'blue-green' ? 'all at one moment' : 'one batch after the other'}.` }),
  'rolled-back': ({ name, event, f, number }) => ({ lead: `The release of ${name} is called off.`, rest: `${plural(number('failing'), 'new instance never answers', 'new instances never answer', f)}; ${event.cause === 'blue-green' ? 'the old ones went on all the time.' : 'the old ones stay.'}` }),
};

const ko: Readonly<Record<LoggedEvent['kind'], Sentence>> = {
  saturated: ({ name, event, f, number }) => ({
    lead: event.cause === 'lock' ? `잠금 ${withParticle(name, '이/가')} 포화되었습니다.` : `${withParticle(name, '이/가')} 포화되었습니다.`,
    rest:
      event.cause === 'cpu' ? '≈CPU가 한계에 닿아 모든 요청이 느려집니다.'
      : event.cause === 'memory' ? '≈메모리가 한도에 가깝습니다.'
      : event.cause === 'lock' ? '거의 내내 누군가 기다리고, 요청이 하나씩만 지나갑니다.'
      : `${event.cause === 'pool' ? '커넥션' : '슬롯'}${number('limit') === 1 ? ' 하나가 사용 중이라' : ` ${f.count(number('limit'))}개가 모두 사용 중이라`} 요청이 기다립니다.`,
  }),
  ejected: ({ name, event, cause, f, number, text }) => ({
    lead: `${withParticle(callerOf(text('link')), '이/가')} ${withParticle(name, '을/를')} 제외했습니다.`,
    rest: `${event.cause === 'outlier' ? `오류 ${f.count(number('bad'))}회 연속` : `검사 ${f.count(number('bad'))}회 연속 실패(${cause})`}, ${number('inRotation') === 0 ? '분배 대상이 남지 않았습니다.' : `분배 대상은 ${f.count(number('inRotation'))}대 남았습니다.`}`,
  }),
  ready: ({ event, name, f, number, text }) => ({
    lead: `${withParticle(callerOf(text('link')), '이/가')} ${withParticle(name, '을/를')} ${event.cause === 'probes' || event.cause === 'time' ? '다시 ' : ''}투입했습니다.`,
    rest: `${event.cause === 'time' ? '제외 시간 종료' : `검사 ${f.count(number('good'))}회${number('good') > 1 ? ' 연속' : ''} 통과`}, 분배 대상 ${f.count(number('inRotation'))}대.`,
  }),
  oom: ({ name, event, f, number }) => ({
    lead: `${withParticle(name, '이/가')} OOM으로 강제 종료되었습니다.`,
    rest: `${lostKo({ f, number })} ${event.cause === 'host memory' ? `호스트 메모리 ≈${f.bytes(number('limitBytes'))} 소진, 가장 큰 프로세스 종료.` : `메모리 ≈${f.bytes(number('limitBytes'))} 도달.`}`,
  }),
  crashed: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} 비정상 종료되었습니다.`, rest: lostKo({ f, number }) }),
  back: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} ≈${f.span(number('downMs'))} 만에 돌아왔습니다.`, rest: number('warmUpMs') > 0 ? `${f.span(number('warmUpMs'))} 동안 예열합니다.` : '' }),
  'scale-out': ({ name, f, number, event, cause }) => ({
    lead: `${withParticle(name, '을/를')} ${f.count(number('from'))}대에서 ${f.count(number('to'))}대로 늘립니다.`,
    rest: `${cause} ${over(event, f, 'ko')}${guessed(event)}${level(event.cause, number('metric'), f)}, 목표 ${level(event.cause, number('target'), f)}. 새 인스턴스는 ${f.clock ? `부팅에 ≈${f.span(number('bootMs'))} 걸려 ≈${f.clock(event.tMs + number('bootMs'))}에` : `≈${f.span(number('bootMs'))} 뒤에`} 뜹니다.`,
  }),
  'scale-in': ({ name, f, number, event, cause }) => ({
    lead: `${withParticle(name, '을/를')} ${f.count(number('from'))}대에서 ${f.count(number('to'))}대로 줄입니다.`,
    rest: `${cause} ${over(event, f, 'ko')}${guessed(event)}${level(event.cause, number('metric'), f)}, 목표 ${level(event.cause, number('target'), f)}.`,
  }),
  booted: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} 부팅을 마쳤습니다.`, rest: `≈${f.span(number('bootMs'))} 걸렸습니다.` }),
  gone: ({ name, f, number }) => ({ lead: `${withParticle(name, '이/가')} 내려갔습니다.`, rest: number('lost') > 0 ? `남아 있던 요청 ${f.count(number('lost'))}건이 실패했습니다.` : '처리하던 요청을 모두 마쳤습니다.' }),
  'breaker-open': ({ event, f, number }) => ({ lead: `차단기 ${withParticle(linkText(event.subject), '이/가')} 열렸습니다.`, rest: `호출의 ${f.share(number('share'))} 실패, 이제부터 거부합니다.` }),
  'breaker-closed': ({ event }) => ({ lead: `차단기 ${withParticle(linkText(event.subject), '이/가')} 닫혔습니다.`, rest: '시험 호출이 성공해 다시 모든 호출을 보냅니다.' }),
  'lock-timeout': ({ name, f, number }) => ({ lead: `잠금 ${withParticle(name, '을/를')} 기다리던 요청이 시간 초과되었습니다.`, rest: `${f.span(number('waitMs'))} 대기${number('waiting') > 0 ? `, 아직 ${f.count(number('waiting'))}건이 기다립니다` : ''}.` }),
  fault: ({ name, event, text }) => ({ lead: `${name} ${event.cause === 'deploy' ? '배포' : '장애'}가 시작됩니다.`, rest: faultText.ko[event.cause]?.(linkText(text('target'))) ?? `대상: ${linkText(text('target'))}.` }),
  'fault-end': ({ name, event, text }) => ({ lead: `${name} ${event.cause === 'deploy' ? '배포' : '장애'}가 끝났습니다.`, rest: text('target') && event.cause !== 'deploy' ? `${withParticle(linkText(text('target')), '은/는')} 이제 영향을 받지 않습니다.` : '' }),
  deployed: ({ name, event, f, number }) => ({ lead: `${name} 배포를 마쳤습니다.`, rest: `인스턴스 ${f.count(number('replaced'))}대를 ${event.cause === 'blue-green' ? '한 번에' : '차례로'} 바꿨습니다.` }),
  'rolled-back': ({ name, event, f, number }) => ({ lead: `${name} 배포가 취소되었습니다.`, rest: `새 인스턴스 ${f.count(number('failing'))}대가 응답하지 않아 ${event.cause === 'blue-green' ? '기존 인스턴스가 그대로 처리합니다.' : '기존 인스턴스를 남깁니다.'}` }),
};

const sentences: Readonly<Record<Lang, typeof en>> = { en, ko };

/** An autoscaler's level: a share for cpu and slots, a length for queue. */
const level = (metric: string, value: number, f: EventFormats): string => (metric === 'queue' ? f.count(value) : f.share(value));
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Names in a row: `#1, #2 and #3`; `#1, #2, #3`. */
export const listed = (names: readonly string[], lang: Lang): string =>
  names.length < 2 ? (names[0] ?? '') : lang === 'ko' ? names.join(', ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** As `listed`; of many, the first few and how many more. */
export const shortened = (names: readonly string[], lang: Lang): string =>
  names.length <= 6 ? listed(names, lang) : lang === 'ko' ? `${names.slice(0, 4).join(', ')} 외 ${names.length - 4}개` : `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`;

/** One sentence for the same kind of event at several subjects in one tick. */
export const joinedLead = ({ kind, cause }: Pick<LoggedEvent, 'kind' | 'cause'>, names: readonly string[], caller: string, lang: Lang): string | null => {
  const all = shortened(names, lang);
  const again = cause === 'probes' || cause === 'time';
  const forms: Partial<Record<LoggedEvent['kind'], readonly [string, string]>> = {
    saturated: [`${all} are saturated.`, `${all}${particle(all, '이/가')} 포화되었습니다.`],
    deployed: [`${all} are deployed.`, `${all} 배포를 마쳤습니다.`],
    ejected: [`${caller} ejects ${all}.`, `${withParticle(caller, '이/가')} ${withParticle(all, '을/를')} 제외했습니다.`],
    ready: [again ? `${caller} puts ${all} back.` : `${caller} adds ${all} to its rotation.`, `${withParticle(caller, '이/가')} ${withParticle(all, '을/를')} ${again ? '다시 ' : ''}투입했습니다.`],
    oom: [`${all} were OOM-killed.`, `${withParticle(all, '이/가')} OOM으로 강제 종료되었습니다.`],
    crashed: [`${all} crashed.`, `${withParticle(all, '이/가')} 비정상 종료되었습니다.`],
    back: [`${all} are back.`, `${withParticle(all, '이/가')} 돌아왔습니다.`],
    booted: [`${all} have booted.`, `${withParticle(all, '이/가')} 부팅을 마쳤습니다.`],
    gone: [`${all} are gone.`, `${withParticle(all, '이/가')} 내려갔습니다.`],
  };
  return forms[kind]?.[lang === 'ko' ? 1 : 0] ?? null;
};

/** Why, or what follows, for the same kind of event at several subjects in one tick; counts are those of all of them. */
export const joinedRest = (group: readonly LoggedEvent[], lang: Lang, formats: EventFormats): string => {
  const [first] = group;
  const last = group.at(-1)!;
  const sum = (key: string): number => group.reduce((total, { data }) => total + Number(data[key] ?? 0), 0);
  switch (first.kind) {
    case 'oom':
    case 'crashed': {
      const both = { ...first, data: { ...first.data, running: sum('running'), queued: sum('queued') } };
      const { rest } = eventSentence(both, lang, formats);
      return lang === 'ko' ? rest : rest.replace('was in it', 'was in them').replace(/^Its /, 'Their ');
    }
    case 'gone': {
      const { rest } = eventSentence({ ...first, data: { ...first.data, lost: sum('lost') } }, lang, formats);
      return lang === 'ko' ? rest : rest.replace(/^It had finished its/, 'They had finished their');
    }
    case 'ready':
      return lang === 'ko' ? eventSentence(last, lang, formats).rest : eventSentence(last, lang, formats).rest.replace(/^It passed/, 'Each passed').replace(/^Its time/, 'Their time');
    case 'deployed':
      return '';
    default:
      // The last one's says how it ended: how many are left in rotation.
      return eventSentence(last, lang, formats).rest;
  }
};
