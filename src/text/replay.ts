import type { Lang } from '../scenario/model.js';

/** The words around the stage in replay.html. Numbers and names arrive as text. */
export interface ReplayWords {
  readonly title: (title: string) => string;
  readonly loading: string;
  readonly noScript: string;
  readonly play: string;
  readonly pause: string;
  readonly answer: string;
  readonly back: string;
  readonly forward: string;
  readonly previousEvent: string;
  readonly nextEvent: string;
  readonly start: string;
  readonly end: string;
  readonly speed: string;
  readonly filmPace: string;
  readonly variant: string;
  readonly toOtherLanguage: string;
  readonly theme: Readonly<Record<'dark' | 'light', string>>;
  readonly aside: string;
  readonly fullScreen: string;
  readonly keys: string;
  readonly close: string;
  readonly time: string;
  readonly timeValue: (clock: string, of: string, phase: string | null) => string;
  readonly stage: string;
  readonly follow: string;
  readonly nobody: string;
  readonly followHint: string;
  readonly unfollow: string;
  readonly events: string;
  readonly allParts: string;
  readonly eventsOf: (shown: string) => string;
  readonly noEvents: string;
  readonly now: string;
  readonly wholeRun: string;
  readonly highest: string;
  readonly requests: string;
  readonly levels: string;
  readonly figure: Readonly<Record<'arrived' | 'good' | 'declined' | 'refused' | 'failed' | 'slots' | 'queue' | 'cpu' | 'memory' | 'connections', string>>;
  readonly state: string;
  readonly of: (value: string, limit: string) => string;
  readonly counted: string;
  readonly estimated: string;
  readonly help: Readonly<Record<HelpKey, string>>;
  readonly jumpTo: (clock: string) => string;
}
export type HelpKey = 'play' | 'step' | 'leap' | 'ends' | 'events' | 'speed' | 'unfollow' | 'variant' | 'lang' | 'theme' | 'aside' | 'fullScreen' | 'keys';

const en: ReplayWords = {
  title: (title) => `${title} · replay`,
  loading: 'Unpacking the run …',
  noScript: 'The replay is drawn by a script in this file; this browser does not run scripts.',
  play: 'Play',
  pause: 'Pause',
  answer: 'Show the answer',
  back: 'One step back',
  forward: 'One step on',
  previousEvent: 'Previous event',
  nextEvent: 'Next event',
  start: 'To the start',
  end: 'To the end',
  speed: 'Speed',
  filmPace: 'film pace',
  variant: 'Variant',
  toOtherLanguage: '한국어',
  theme: { dark: 'Dark colours', light: 'Light colours' },
  aside: 'Events and figures',
  fullScreen: 'Full screen',
  keys: 'Keys',
  close: 'Close',
  time: 'Simulated time',
  timeValue: (clock, of, phase) => `${clock} of ${of}${phase === null ? '' : `, phase ${phase}`}`,
  stage: 'The system at this moment',
  follow: 'Follow an instance',
  nobody: 'nobody',
  followHint: 'Choose one here, or click it on the stage.',
  unfollow: 'Stop following',
  events: 'Events',
  allParts: 'all parts',
  eventsOf: (shown) => (shown === '1' ? 'one event' : `${shown} events`),
  noEvents: 'Nothing happened: no event in this run.',
  now: 'now',
  wholeRun: 'whole run',
  highest: 'highest',
  requests: 'its requests',
  levels: 'its levels',
  figure: { arrived: 'arrived', good: 'good', declined: 'declined', refused: 'refused', failed: 'failed', slots: 'slots', queue: 'queue', cpu: '≈ CPU', memory: '≈ memory', connections: 'open sockets' },
  state: 'state',
  of: (value, limit) => `${value} of ${limit}`,
  counted: 'counted in the run',
  estimated: '≈ by formula',
  help: {
    play: 'play, pause, show the answer',
    step: 'one step back, on',
    leap: '10 s back, on',
    ends: 'to the start, to the end',
    events: 'previous, next event',
    speed: 'slower, faster',
    unfollow: 'stop following',
    variant: 'next variant',
    lang: 'other language',
    theme: 'dark or light',
    aside: 'show or hide events and figures',
    fullScreen: 'full screen',
    keys: 'these keys',
  },
  jumpTo: (clock) => `Jump to ${clock}`,
};

const ko: ReplayWords = {
  title: (title) => `${title} · 다시 보기`,
  loading: '실행 기록을 푸는 중…',
  noScript: '이 파일 안의 스크립트가 화면을 그립니다. 이 브라우저는 스크립트를 실행하지 않습니다.',
  play: '재생',
  pause: '일시정지',
  answer: '답 보기',
  back: '한 단계 뒤로',
  forward: '한 단계 앞으로',
  previousEvent: '이전 이벤트',
  nextEvent: '다음 이벤트',
  start: '처음으로',
  end: '끝으로',
  speed: '속도',
  filmPace: '영상 속도대로',
  variant: '변형',
  toOtherLanguage: 'English',
  theme: { dark: '어두운 화면', light: '밝은 화면' },
  aside: '이벤트와 수치',
  fullScreen: '전체 화면',
  keys: '단축키',
  close: '닫기',
  time: '시뮬레이션 시각',
  timeValue: (clock, of, phase) => `${of} 중 ${clock}${phase === null ? '' : `, ${phase} 구간`}`,
  stage: '이 순간의 시스템',
  follow: '인스턴스 따라가기',
  nobody: '없음',
  followHint: '여기서 고르거나 화면에서 클릭하세요.',
  unfollow: '따라가기 끝내기',
  events: '이벤트',
  allParts: '전체',
  eventsOf: (shown) => `${shown}건`,
  noEvents: '이 실행에서는 아무 이벤트도 일어나지 않았습니다.',
  now: '지금',
  wholeRun: '전체 실행',
  highest: '최고',
  requests: '받은 요청',
  levels: '사용량',
  figure: { arrived: '도착', good: '성공', declined: '반려', refused: '거부', failed: '실패', slots: '슬롯', queue: '대기열', cpu: '≈ CPU', memory: '≈ 메모리', connections: '열린 소켓' },
  state: '상태',
  of: (value, limit) => `${value} / ${limit}`,
  counted: '실행에서 집계',
  estimated: '≈ 수식 추정',
  help: {
    play: '재생, 일시정지, 답 보기',
    step: '한 단계 뒤로, 앞으로',
    leap: '10초 뒤로, 앞으로',
    ends: '처음으로, 끝으로',
    events: '이전 이벤트, 다음 이벤트',
    speed: '느리게, 빠르게',
    unfollow: '따라가기 끝내기',
    variant: '다음 변형',
    lang: '다른 언어',
    theme: '어둡게, 밝게',
    aside: '이벤트와 수치 보이기, 숨기기',
    fullScreen: '전체 화면',
    keys: '이 단축키 목록',
  },
  jumpTo: (clock) => `${clock}로 이동`,
};

export const replayWords: Readonly<Record<Lang, ReplayWords>> = { en, ko };
