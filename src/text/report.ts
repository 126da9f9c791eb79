import type { Lang, Metric } from '../scenario/model.js';

/** Short words of the report: titles, heads of columns, labels of charts. Its sentences are in `templates/report`. */
export interface ReportWords {
  readonly report: string;
  readonly seed: (seed: number) => string;
  readonly page: (page: number, pages: number) => string;
  readonly continued: string;
  readonly nothing: string;
  readonly none: string;
  readonly wholeRun: string;
  readonly band: { readonly timeline: string; readonly counted: string; readonly known: string; readonly stated: string; readonly guessed: string };
  readonly kept: string;
  readonly broken: string;
  /** Of a verdict on a load that was not made. */
  readonly blind: string;
  readonly warning: string;
  readonly outOf: (most: string, limit: string) => string;
  readonly held: string;
  readonly notHeld: string;
  /** Of a claim that the file tells not to hold, when it does not, and when it does. */
  readonly asTold: string;
  readonly againstTold: string;
  /** A setting that a variant takes away. */
  readonly removed: string;
  /** Of a variant without the phase that others are compared in. */
  readonly noPhase: string;
  /** Whose latencies an objective is of, other than those of good requests. */
  readonly over: Readonly<Record<'valid' | 'bad', string>>;
  readonly metric: Readonly<Partial<Record<Metric, string>>>;
  readonly resource: Readonly<Record<'cpu' | 'slots' | 'pool' | 'memory' | 'lock', string>>;
  // Events.
  readonly saturated: (names: string, reasons: string) => string;
  readonly saturatedThen: string;
  /** Where a pool has no connection left, and where memory is at its limit. */
  readonly pooledThen: string;
  readonly memoryThen: string;
  /** The same where nothing is refused. */
  readonly saturatedWait: string;
  /** The same of a lock. */
  readonly lockedThen: string;
  readonly failUntil: (count: string, time: string) => string;
  readonly keptAgain: (objective: string) => string;
  readonly flapping: (ejections: number, returns: number) => string;
  readonly flappingWhy: (reasons: string, saturations: number) => string;
  /** Why attempts at a service failed, by reason, where a report says it more plainly than `reasons.ts`. */
  readonly failure: Readonly<Record<string, string>>;
  // Charts.
  readonly noSamples: string;
  readonly most: (value: string) => string;
  readonly slotsInUse: string;
  readonly queued: string;
  readonly coresUnit: string;
  readonly target: string;
  readonly limit: string;
  readonly desired: string;
  readonly goal: string;
  // Titles of sections and parts.
  readonly title: Readonly<Record<ReportTitle, string>>;
  /** Heads of columns. */
  readonly head: Readonly<Record<ReportHead, string>>;
  readonly allOf: (count: number) => string;
  /** Kinds of input, for a reader who does not know the paths. */
  readonly inputGroup: Readonly<Record<InputGroup, string>>;
  readonly andMore: (count: number) => string;
  readonly unexplained: string;
  readonly noRange: string;
  /** How a drawn value spreads. */
  readonly drawn: { readonly cv: string; readonly lognormal: string; readonly quantiles: string };
  readonly inFlight: string;
  readonly exact: string;
  readonly notExact: string;
  readonly repeatsFrom: string;
}

export type InputGroup = 'machines' | 'health' | 'autoscaling' | 'calls' | 'memory' | 'capacity' | 'starting' | 'load' | 'work' | 'other';

export type ReportTitle =
  | 'objectives' | 'allObjectives' | 'variantVerdicts' | 'otherVerdicts' | 'measureFirst' | 'whatHappened' | 'whatWentIn' | 'cost' | 'limits'
  | 'pools' | 'locks' | 'deliveries' | 'sockets' | 'hosts' | 'throttling'
  | 'timeline' | 'known' | 'knownTable' | 'counted' | 'instances' | 'phases' | 'where' | 'conservation' | 'links'
  | 'guessed' | 'register' | 'defaults' | 'estimates' | 'estimatedInstances' | 'costTable' | 'variants' | 'changes' | 'goodShare' | 'comparison' | 'claims' | 'method' | 'command' | 'versions' | 'attachments';

export type ReportHead =
  | 'phase' | 'objective' | 'result' | 'verdict' | 'howSure' | 'why' | 'time' | 'what' | 'input' | 'value' | 'range' | 'source' | 'reason' | 'measure'
  | 'offered' | 'good' | 'declined' | 'refused' | 'failed' | 'inFlight' | 'goodShare' | 'p50' | 'p95' | 'p99' | 'goodRate' | 'traffic'
  | 'link' | 'sent' | 'probes' | 'badProbes' | 'ejections' | 'ooms' | 'launches' | 'variant' | 'claim' | 'says' | 'target' | 'actual'
  | 'dropped' | 'retries' | 'opened' | 'mostInUse' | 'mostWaiting' | 'waits' | 'meanWait' | 'longest' | 'lock' | 'taken' | 'notHad' | 'delivered' | 'missed' | 'instance' | 'mean' | 'most' | 'throttled' | 'coresLimit'
  | 'service' | 'machine' | 'billed' | 'extra' | 'amount' | 'name' | 'file' | 'size' | 'setting' | 'count' | 'outcome' | 'place' | 'change';

const en: ReportWords = {
  report: 'design review report',
  seed: (seed) => `seed ${seed}`,
  page: (page, pages) => `${page} of ${pages}`,
  continued: '(continued)',
  nothing: 'Nothing to list.',
  none: '–',
  wholeRun: 'whole run',
  band: { timeline: 'COUNTED, ≈ ESTIMATED', counted: 'COUNTED IN THE SIMULATION', known: 'MEASURED, STATED, CHOSEN', stated: 'STATED, CHOSEN', guessed: 'ASSUMED AND ESTIMATED' },
  kept: 'kept',
  broken: 'broken',
  blind: 'says nothing',
  warning: 'Warning',
  outOf: (most, limit) => `${most} of ${limit}`,
  held: 'held',
  notHeld: 'not held',
  asTold: 'as the file says',
  againstTold: 'against the file',
  removed: 'removed',
  noPhase: 'no such phase',
  over: { valid: 'good and bad', bad: 'bad alone' },
  metric: { good: 'good', declined: 'declined', refused: 'refused', failed: 'failed', dropped: 'dropped', rate: 'good rate', mean: 'mean latency', max: 'longest latency', cpu: 'CPU', queue: 'queue', slots: 'slots', memory: 'memory', poolWait: 'pool wait', lockWait: 'lock wait', ooms: 'OOM kills', ejections: 'ejections', launches: 'launches', cost: 'cost' },
  resource: { cpu: 'CPU', slots: 'slots', pool: 'connections', memory: 'memory', lock: 'lock' },
  saturated: (names, reasons) => `${names} saturated: ${reasons}.`,
  saturatedThen: 'Requests wait, and a full queue refuses the rest.',
  pooledThen: 'Requests wait for a connection.',
  memoryThen: 'More than the limit ends in an OOM kill.',
  saturatedWait: 'Requests wait.',
  lockedThen: 'Somebody waits for it nearly all the time.',
  failUntil: (count, time) => `${count} requests fail until ${time}.`,
  keptAgain: (objective) => `${objective} is kept again.`,
  flapping: (ejections, returns) => `${ejections} ${ejections === 1 ? 'ejection' : 'ejections'}, ${returns} ${returns === 1 ? 'return' : 'returns'}.`,
  flappingWhy: (reasons, saturations) => [...(reasons ? [`Checks failed: ${reasons}.`] : []), ...(saturations > 0 ? [`Saturated again ${saturations === 1 ? 'once' : `${saturations} times`}.`] : [])].join(' '),
  failure: { killed: 'killed inside', 'connection refused': 'sent to a dead process' },
  noSamples: 'no samples',
  most: (value) => `most ${value}`,
  slotsInUse: 'slots in use',
  queued: 'queue',
  coresUnit: 'cores',
  target: 'target',
  limit: 'limit',
  desired: 'desired',
  goal: 'goal',
  title: {
    objectives: 'Objectives',
    allObjectives: 'Every objective',
    variantVerdicts: 'Verdicts of every variant',
    otherVerdicts: 'Verdicts of the other variants',
    measureFirst: 'What to measure first',
    whatHappened: 'What happened',
    whatWentIn: 'What went in',
    cost: 'What it cost',
    limits: 'What this run does not prove',
    timeline: 'Timeline',
    known: 'Measured, stated, chosen',
    knownTable: 'Known inputs',
    counted: 'Counted in the simulation',
    instances: 'Each instance over time',
    phases: 'Each phase',
    where: 'Where the requests went',
    conservation: 'Conservation',
    links: 'Links',
    pools: 'Connections',
    locks: 'Waiting for locks',
    deliveries: 'Pushes to open sockets',
    sockets: 'Open sockets',
    hosts: 'Machines that services share',
    throttling: 'CPU quota used up',
    guessed: 'Assumed and estimated',
    register: 'The register of guesses',
    defaults: 'Filled in by the tool',
    estimates: 'Estimated by formula',
    estimatedInstances: 'CPU and memory of each instance',
    costTable: 'Cost',
    variants: 'Variants compared',
    changes: 'What was changed',
    goodShare: 'Good requests',
    comparison: 'What that did',
    claims: 'Claims of the scenario',
    method: 'Method',
    command: 'The exact command',
    versions: 'Versions and hashes',
    attachments: 'Attached to this file',
  },
  head: {
    phase: 'phase', objective: 'objective', result: 'result', verdict: 'verdict', howSure: 'how sure', why: 'why', time: 'time', what: 'what happened', input: 'input', value: 'value', range: 'range', source: 'source or reason', reason: 'why this value', measure: 'how to measure it',
    offered: 'offered', good: 'good', declined: 'declined', refused: 'refused', failed: 'failed', inFlight: 'in flight', goodShare: 'good of valid', p50: 'p50', p95: 'p95', p99: 'p99', goodRate: 'good rate', traffic: 'traffic',
    link: 'link', sent: 'sent', probes: 'probes', badProbes: 'bad probes', ejections: 'ejections', ooms: 'OOM kills', launches: 'launches', variant: 'variant', claim: 'claim', says: 'says', target: 'target', actual: 'actual',
    dropped: 'dropped', retries: 'retries', opened: 'opened', mostInUse: 'most in use', mostWaiting: 'most waiting', waits: 'had to wait', meanWait: 'mean wait', longest: 'longest', lock: 'lock', taken: 'taken', notHad: 'not had', delivered: 'delivered', missed: 'missed', instance: 'instance', mean: 'mean', most: 'most', throttled: 'share of the time', coresLimit: 'cores at most',
    service: 'service', machine: 'machine', billed: 'billed time', extra: 'beyond the start', amount: 'amount', name: 'name', file: 'file', size: 'size', setting: 'setting', count: 'requests', outcome: 'how it ended', place: 'where and why', change: 'against the reference',
  },
  allOf: (count) => (count === 1 ? 'It' : count === 2 ? 'Both' : `All ${['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][count] ?? count}`),
  inputGroup: { machines: 'machines', health: 'health checks', autoscaling: 'autoscaling', calls: 'calls', memory: 'memory', capacity: 'capacity', starting: 'start and recovery', load: 'load', work: 'work per request', other: 'other' },
  andMore: (count) => `+${count}`,
  unexplained: 'no reason given',
  drawn: { cv: 'mean, cv', lognormal: 'lognormal', quantiles: 'by quantiles' },
  noRange: 'no range given: untested',
  inFlight: 'in flight',
  exact: 'exact',
  notExact: 'does not add up',
  repeatsFrom: 'SHA-256',
};

const ko: ReportWords = {
  report: '설계 검토 보고서',
  seed: (seed) => `시드 ${seed}`,
  page: (page, pages) => `${page} / ${pages}`,
  continued: '(계속)',
  nothing: '해당 항목 없음.',
  none: '–',
  wholeRun: '전체 실행',
  band: { timeline: '집계, ≈ 추정', counted: '시뮬레이션에서 집계', known: '측정, 제조사, 설정', stated: '제조사, 설정', guessed: '가정과 추정' },
  kept: '달성',
  broken: '미달',
  blind: '판단 불가',
  warning: '경고',
  outOf: (most, limit) => `${most} / ${limit}`,
  held: '성립',
  notHeld: '불성립',
  asTold: '파일대로',
  againstTold: '파일과 다름',
  removed: '제거',
  noPhase: '이 구간 없음',
  over: { valid: '성공·실패 모두', bad: '실패만' },
  metric: { good: '성공률', declined: '반려', refused: '거부', failed: '실패', dropped: '미발송', rate: '초당 성공', mean: '평균 지연', max: '최대 지연', cpu: 'CPU', queue: '대기열', slots: '슬롯', memory: '메모리', poolWait: '커넥션 대기', lockWait: '잠금 대기', ooms: 'OOM 종료', ejections: '제외', launches: '기동', cost: '비용' },
  resource: { cpu: 'CPU', slots: '슬롯', pool: '커넥션', memory: '메모리', lock: '잠금' },
  saturated: (names, reasons) => `${names} 포화: ${reasons}.`,
  saturatedThen: '요청이 기다리기 시작하고, 대기열이 차면 거부됩니다.',
  pooledThen: '요청이 커넥션을 기다리기 시작합니다.',
  memoryThen: '한도를 넘으면 OOM으로 강제 종료됩니다.',
  saturatedWait: '요청이 기다리기 시작합니다.',
  lockedThen: '거의 내내 누군가 이 잠금을 기다립니다.',
  failUntil: (count, time) => `${time}까지 요청 ${count}건이 실패합니다.`,
  keptAgain: (objective) => `${objective} 목표를 다시 달성합니다.`,
  flapping: (ejections, returns) => `제외 ${ejections}회, 복귀 ${returns}회.`,
  flappingWhy: (reasons, saturations) => [...(reasons ? [`검사 실패: ${reasons}.`] : []), ...(saturations > 0 ? [`다시 포화 ${saturations}회.`] : [])].join(' '),
  failure: { killed: '내부에서 강제 종료', 'connection refused': '죽은 프로세스로 전송' },
  noSamples: '표본 없음',
  most: (value) => `최대 ${value}`,
  slotsInUse: '사용 슬롯',
  queued: '대기열',
  coresUnit: '코어',
  target: '목표',
  limit: '한도',
  desired: '목표 대수',
  goal: '목표',
  title: {
    objectives: '목표와 판정',
    allObjectives: '모든 목표',
    variantVerdicts: '모든 변형의 판정',
    otherVerdicts: '다른 변형의 판정',
    measureFirst: '먼저 측정할 것',
    whatHappened: '무슨 일이 있었나',
    whatWentIn: '입력값의 근거',
    cost: '비용',
    limits: '이 실행이 증명하지 않는 것',
    timeline: '타임라인',
    known: '측정, 제조사 공표, 직접 설정',
    knownTable: '근거가 있는 입력값',
    counted: '시뮬레이션에서 집계',
    instances: '인스턴스별 추이',
    phases: '구간별 집계',
    where: '요청은 어디로 갔나',
    conservation: '보존 확인',
    links: '링크별 집계',
    pools: '커넥션 풀',
    locks: '잠금 대기',
    deliveries: '열린 소켓으로 보낸 푸시',
    sockets: '열린 소켓',
    hosts: '여러 서비스가 함께 쓰는 머신',
    throttling: 'CPU 할당량 소진',
    guessed: '가정과 추정',
    register: '가정 목록',
    defaults: '도구가 채운 값',
    estimates: '수식으로 추정',
    estimatedInstances: '인스턴스별 CPU와 메모리',
    costTable: '비용 내역',
    variants: '변형 비교',
    changes: '무엇을 바꿨나',
    goodShare: '성공한 요청',
    comparison: '무엇이 달라졌나',
    claims: '시나리오 검증 항목',
    method: '방법',
    command: '실행한 명령',
    versions: '버전과 해시',
    attachments: '이 파일에 첨부된 것',
  },
  head: {
    phase: '구간', objective: '목표', result: '결과', verdict: '판정', howSure: '확실한 정도', why: '근거', time: '시각', what: '일어난 일', input: '입력값', value: '값', range: '범위', source: '출처 또는 이유', reason: '이 값을 쓴 이유', measure: '측정 방법',
    offered: '유입', good: '성공', declined: '반려', refused: '거부', failed: '실패', inFlight: '처리 중', goodShare: '유효 중 성공', p50: 'p50', p95: 'p95', p99: 'p99', goodRate: '초당 성공', traffic: '트래픽',
    link: '링크', sent: '전송', probes: '검사', badProbes: '실패한 검사', ejections: '제외', ooms: 'OOM 종료', launches: '기동', variant: '변형', claim: '검증 항목', says: '내용', target: '기준', actual: '실제',
    dropped: '미발송', retries: '재시도', opened: '새 연결', mostInUse: '최대 사용', mostWaiting: '최대 대기', waits: '대기 건수', meanWait: '평균 대기', longest: '최장', lock: '잠금', taken: '획득', notHad: '획득 실패', delivered: '전달', missed: '누락', instance: '인스턴스', mean: '평균', most: '최대', throttled: '시간 비율', coresLimit: '최대 코어',
    service: '서비스', machine: '머신', billed: '과금 시간', extra: '시작 대수 초과분', amount: '금액', name: '이름', file: '파일', size: '크기', setting: '설정', count: '요청 수', outcome: '결과', place: '위치와 이유', change: '기준 대비',
  },
  allOf: (count) => (count === 1 ? '이 판정은' : `${count}개 판정 모두`),
  inputGroup: { machines: '머신', health: '헬스 체크', autoscaling: '오토스케일링', calls: '호출', memory: '메모리', capacity: '용량', starting: '기동과 복구', load: '부하', work: '요청당 작업', other: '기타' },
  andMore: (count) => `외 ${count}`,
  unexplained: '이유 없음',
  drawn: { cv: '평균, cv', lognormal: '로그정규', quantiles: '분위수로 지정' },
  noRange: '범위 없음: 미검증',
  inFlight: '처리 중',
  exact: '일치',
  notExact: '불일치',
  repeatsFrom: 'SHA-256',
};

export const reportWords: Readonly<Record<Lang, ReportWords>> = { en, ko };
