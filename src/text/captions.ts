import type { Lang } from '../scenario/model.js';
import { withParticle } from './particles.js';

/** What of an instance is used up: a limit on its rate is what it refuses by while nothing is full. */
export type SaturatedBy = 'cpu' | 'slots' | 'boundedSlots' | 'turns' | 'pool' | 'memory' | 'limit';

/** What is written under the stage while something holds: the bold lead and, as `…Rest`, the plain rest. Numbers arrive as text. */
export interface CaptionWords {
  readonly wrongly: (caller: string, name: string) => string;
  readonly blind: (caller: string, name: string) => string;
  readonly blindRest: string;
  readonly nothingOutstanding: string;
  readonly notNoticed: string;
  readonly unaware: (caller: string) => string;
  readonly nobody: (service: string) => string;
  readonly nobodyRest: (caller: string) => string;
  readonly openDoor: (caller: string) => string;
  readonly openDoorRest: (caller: string) => string;
  readonly saturated: (names: string, count: number) => string;
  /** It comes and goes. */
  readonly saturatedAgain: (names: string, count: number) => string;
  readonly saturatedAgainRest: string;
  /** What follows from it, by what is used up. */
  readonly saturatedBy: Readonly<Record<SaturatedBy, string>>;
  /** It is noticed some ticks after it began. */
  readonly saturatedSince: (clock: string) => string;
  readonly out: (names: string, count: number) => string;
  readonly outRest: string;
  readonly down: (names: string, count: number) => string;
  readonly downRest: string;
  readonly dead: (names: string, count: number) => string;
  readonly deadRest: string;
  readonly booting: (names: string, count: number) => string;
  readonly bootingRest: string;
  readonly warming: (names: string, count: number) => string;
  readonly warmingRest: string;
  readonly deadMost: (caller: string, name: string, open: boolean) => string;
  readonly deadMostRest: (failed: string, ended: string, clock: string) => string;
  readonly flapping: (caller: string) => string;
  readonly flappingRest: (ejections: number, span: string) => string;
  readonly lockWaits: (lock: string) => string;
  readonly lockWaitsRest: string;
  readonly poolWaits: (callee: string) => string;
  readonly poolWaitsRest: (caller: string, isEach: boolean, max: string, onceOnly: boolean) => string;
  readonly breakerOpen: (link: string) => string;
  readonly breakerOpenRest: string;
  readonly hostFull: (host: string) => string;
  readonly hostFullRest: (cores: string) => string;
  readonly frozen: (names: string, count: number) => string;
  readonly frozenRest: string;
  readonly lasts: (fault: string, isDeployment: boolean) => string;
  readonly dropped: (traffic: string) => string;
  readonly droppedRest: string;
  readonly missed: string;
  readonly missedRest: string;
  readonly queuesGrow: string;
  readonly queuesGrowRest: string;
  readonly waiting: string;
  readonly waitingRest: string;
  readonly behind: string;
  /** `phase` is null for an objective of the whole run. */
  readonly behindRest: (phase: string | null, goal: string) => string;
  readonly slow: string;
  readonly slowRest: (metric: string, goal: string) => string;
  readonly calm: string;
  readonly calmRest: string;
  readonly idle: string;
  readonly idleRest: string;
  readonly bad: string;
  readonly badRest: string;
  /** Some did a moment ago, and the figures still have them. */
  readonly wereBad: string;
  readonly more: (count: number) => string;
}

const is = (count: number): string => (count === 1 ? 'is' : 'are');

const en: CaptionWords = {
  wrongly: (caller, name) => `${caller} still sends to ${name}:`,
  blind: (caller, name) => `${caller} goes on sending to dead ${name}:`,
  blindRest: 'it checks nobody, so it never learns.',
  nothingOutstanding: 'a dead process has nothing outstanding, so it always looks least loaded.',
  notNoticed: 'it has not noticed yet that the process is gone.',
  unaware: (caller) => `${caller} has not noticed yet.`,
  nobody: (service) => `Nobody of ${service} is in rotation.`,
  nobodyRest: (caller) => `${caller} turns every request away.`,
  openDoor: (caller) => `${caller} fails open.`,
  openDoorRest: (caller) => `No instance passes its checks, so ${caller} sends to all of them.`,
  saturated: (names, count) => `${names} ${is(count)} saturated.`,
  saturatedAgain: (names, count) => `${names} ${count === 1 ? 'goes' : 'go'} in and out of saturation.`,
  saturatedAgainRest: 'There is next to no headroom left.',
  saturatedBy: {
    cpu: '≈CPU is used up: every request takes longer.',
    slots: 'All slots are taken: new requests queue up.',
    boundedSlots: 'All slots are taken: new requests queue up, and are refused once the queue is full.',
    turns: 'One request runs at a time; the others wait for their turn.',
    pool: 'All its connections are in use: requests wait for one.',
    memory: '≈Memory is near its limit.',
    limit: 'More comes than the rate limit lets in; the rest is refused.',
  },
  saturatedSince: (clock) => `It began at ${clock}.`,
  out: (names, count) => `${names} ${is(count)} out of rotation.`,
  outRest: 'The others carry the load until enough checks have passed.',
  down: (names, count) => `${names} ${is(count)} down.`,
  downRest: 'The others carry the load until the process is back.',
  dead: (names, count) => `${names} ${is(count)} dead.`,
  deadRest: 'It does not come back: the others carry the load for good.',
  booting: (names, count) => `${names} ${is(count)} booting.`,
  bootingRest: 'No request goes there yet.',
  warming: (names, count) => `${names} ${is(count)} warming up.`,
  warmingRest: 'A fresh process is slower for a while.',
  deadMost: (caller, name, open) => `${caller} ${open ? 'fails open and' : 'still'} sends to dead ${name}:`,
  deadMostRest: (failed, ended, clock) => `${failed} of ${ended} requests failed at ${clock}.`,
  flapping: (caller) => `${caller} keeps ejecting and returning the same instances:`,
  flappingRest: (ejections, span) => `${ejections} ejections in ${span}.`,
  lockWaits: (lock) => `Requests wait for the lock ${lock}.`,
  lockWaitsRest: 'It goes from one request to the next, and each keeps what it holds meanwhile.',
  poolWaits: (callee) => `Requests wait for a connection to ${callee}.`,
  poolWaitsRest: (caller, isEach, max, onceOnly) => `${max === '1' ? `The one of ${isEach ? 'each ' : ''}${caller} is` : `All ${max} of ${isEach ? 'each ' : ''}${caller} are`} in use${onceOnly ? ', and each serves one request before it is closed' : ''}.`,
  breakerOpen: (link) => `The breaker ${link} is open.`,
  breakerOpenRest: 'Its calls are refused without being tried.',
  hostFull: (host) => `${host} is full.`,
  hostFullRest: (cores) => `Its ${cores} cores are all in use; what runs on it waits for its share.`,
  frozen: (names, count) => `${names} ${is(count)} frozen.`,
  frozenRest: 'It stands still: what was sent to it gets no answer.',
  lasts: (fault, isDeployment) => `${isDeployment ? 'Deployment' : 'Fault'} ${fault} goes on.`,
  dropped: (traffic) => `The generator of ${traffic} cannot send everything.`,
  droppedRest: 'What is never sent counts neither as offered nor as failed.',
  missed: 'Not every message that is pushed arrives.',
  missedRest: 'Some sockets are out of the pushing process’s reach. No request fails by it.',
  queuesGrow: 'Queues grow:',
  queuesGrowRest: 'more requests come than are answered.',
  waiting: 'Requests wait in a queue.',
  waitingRest: 'They are answered, but later than usual.',
  behind: 'No request goes wrong now.',
  behindRest: (phase, goal) => `The ${phase === null ? 'run' : `${phase} phase`} as a whole stays behind its goal: ${goal}.`,
  slow: 'Every request is answered, but slowly:',
  slowRest: (metric, goal) => `${metric} of the last 10 s misses its goal, ${goal}.`,
  calm: 'All is well.',
  calmRest: 'Every request is answered.',
  idle: 'Nothing comes in now.',
  idleRest: '',
  bad: 'Requests are going wrong.',
  badRest: 'The strip below shows how many, and since when.',
  wereBad: 'Some requests have just gone wrong.',
  more: (count) => `And ${count} more.`,
};

const ko: CaptionWords = {
  wrongly: (caller, name) => `${withParticle(caller, '은/는')} 아직 ${name}에 요청을 보냅니다.`,
  blind: (caller, name) => `${withParticle(caller, '은/는')} 죽은 ${name}에도 계속 요청을 보냅니다.`,
  blindRest: '상태를 검사하지 않아 알 길이 없습니다.',
  nothingOutstanding: '죽은 프로세스는 미처리 요청이 없어 늘 가장 한가해 보입니다.',
  notNoticed: '프로세스가 사라진 것을 아직 모릅니다.',
  unaware: (caller) => `${withParticle(caller, '은/는')} 아직 모릅니다.`,
  nobody: (service) => `${service}의 분배 대상이 하나도 없습니다.`,
  nobodyRest: (caller) => `${withParticle(caller, '이/가')} 모든 요청을 돌려보냅니다.`,
  openDoor: (caller) => `${withParticle(caller, '이/가')} fail-open 상태입니다.`,
  openDoorRest: () => '검사를 통과한 인스턴스가 없어 전체 인스턴스로 보냅니다.',
  saturated: (names) => `${withParticle(names, '이/가')} 포화 상태입니다.`,
  saturatedAgain: (names) => `${withParticle(names, '이/가')} 포화와 회복을 되풀이합니다.`,
  saturatedAgainRest: '여유가 거의 없습니다.',
  saturatedBy: {
    cpu: '≈CPU를 다 써서 모든 요청이 느려집니다.',
    slots: '슬롯이 모두 차서 새 요청은 대기열에서 기다립니다.',
    boundedSlots: '슬롯이 모두 차서 새 요청은 대기열에서 기다리고, 대기열도 차면 거부됩니다.',
    turns: '한 번에 한 건씩만 처리하고, 나머지는 차례를 기다립니다.',
    pool: '커넥션이 모두 사용 중이라 요청이 기다립니다.',
    memory: '≈메모리가 한도에 가깝습니다.',
    limit: '속도 제한보다 많이 들어와, 넘치는 요청은 거부됩니다.',
  },
  saturatedSince: (clock) => `${clock}에 시작되었습니다.`,
  out: (names) => `${withParticle(names, '이/가')} 분배에서 빠져 있습니다.`,
  outRest: '검사를 충분히 통과할 때까지 나머지가 부하를 감당합니다.',
  down: (names) => `${withParticle(names, '이/가')} 내려가 있습니다.`,
  downRest: '프로세스가 다시 뜰 때까지 나머지가 부하를 감당합니다.',
  dead: (names) => `${withParticle(names, '은/는')} 종료된 상태입니다.`,
  deadRest: '다시 뜨지 않으므로 나머지가 부하를 감당합니다.',
  booting: (names) => `${withParticle(names, '이/가')} 부팅 중입니다.`,
  bootingRest: '아직 요청을 받지 않습니다.',
  warming: (names) => `${withParticle(names, '이/가')} 예열 중입니다.`,
  warmingRest: '갓 시작한 프로세스는 한동안 느립니다.',
  deadMost: (caller, name, open) => `${withParticle(caller, '이/가')} ${open ? `fail-open이라 죽은 ${name}에도` : `죽은 ${name}에 아직도`} 요청을 보냅니다.`,
  deadMostRest: (failed, ended, clock) => `${clock} 기준 ${ended}건 중 ${failed}건이 실패했습니다.`,
  flapping: (caller) => `${withParticle(caller, '이/가')} 같은 인스턴스를 제외했다가 다시 투입하기를 반복합니다.`,
  flappingRest: (ejections, span) => `${span} 동안 제외 ${ejections}회.`,
  lockWaits: (lock) => `요청들이 잠금 ${withParticle(lock, '을/를')} 기다립니다.`,
  lockWaitsRest: '잠금은 한 번에 한 요청만 잡고, 기다리는 요청은 쥔 자원을 놓지 않습니다.',
  poolWaits: (callee) => `요청들이 ${withParticle(callee, '으로/로')} 가는 커넥션을 기다립니다.`,
  poolWaitsRest: (caller, isEach, max, onceOnly) => `${caller}${isEach ? '마다' : '의'} 커넥션 ${max}개가 모두 사용 중${onceOnly ? '이고, 하나로 요청 한 건만 처리하고 닫습니다' : '입니다'}.`,
  breakerOpen: (link) => `차단기 ${withParticle(link, '이/가')} 열려 있습니다.`,
  breakerOpenRest: '시도하지 않고 바로 거부합니다.',
  hostFull: (host) => `${withParticle(host, '이/가')} 꽉 찼습니다.`,
  hostFullRest: (cores) => `${cores}코어를 모두 써서, 그 위의 프로세스가 차례를 기다립니다.`,
  frozen: (names) => `${withParticle(names, '이/가')} 멈춰 있습니다.`,
  frozenRest: '그쪽으로 보낸 요청은 응답을 받지 못합니다.',
  lasts: (fault, isDeployment) => (isDeployment ? `${fault} 배포가 진행 중입니다.` : `${fault} 장애가 이어지고 있습니다.`),
  dropped: (traffic) => `${traffic} 발생기가 요청을 다 보내지 못합니다.`,
  droppedRest: '보내지 못한 요청은 유입에도 실패에도 들어가지 않습니다.',
  missed: '일부 푸시 메시지가 도착하지 않습니다.',
  missedRest: '보내는 프로세스가 닿지 못하는 소켓이 있습니다. 그래도 실패하는 요청은 없습니다.',
  queuesGrow: '대기열이 길어지고 있습니다.',
  queuesGrowRest: '처리하는 것보다 더 많은 요청이 들어옵니다.',
  waiting: '요청이 대기열에서 기다립니다.',
  waitingRest: '응답은 하지만 평소보다 늦습니다.',
  behind: '지금은 실패하거나 거부되는 요청이 없습니다.',
  behindRest: (phase, goal) => `다만 ${phase === null ? '실행' : `${phase} 구간`} 전체로는 아직 목표 미달입니다. 목표: ${goal}.`,
  slow: '모든 요청에 응답하지만 느립니다.',
  slowRest: (metric, goal) => `최근 10초 ${metric} 목표 미달. 목표: ${goal}.`,
  calm: '모두 정상입니다.',
  calmRest: '모든 요청에 응답하고 있습니다.',
  idle: '지금은 들어오는 요청이 없습니다.',
  idleRest: '',
  bad: '처리되지 못하는 요청이 있습니다.',
  badRest: '규모와 시작 시점은 아래 그래프에 있습니다.',
  wereBad: '방금 처리되지 못한 요청이 있습니다.',
  more: (count) => `그 밖에 ${count}건.`,
};

export const captionWords: Readonly<Record<Lang, CaptionWords>> = { en, ko };
