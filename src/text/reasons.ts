import type { Lang } from '../scenario/model.js';

/** Why a request, a probe or an instance ended, in words; a reason that a scenario's author named stays as written. */
export const reasonText = (reason: string, lang: Lang): string => words[lang][reason] ?? ofNamed(reason, lang) ?? reason;

/** `lock seat`: it could not be had in time. `no seat`: its stock is empty. */
const ofNamed = (reason: string, lang: Lang): string | null => {
  const [, kind, name] = /^(lock|no) ([a-z][a-z0-9-]*)$/.exec(reason) ?? [];
  if (kind === 'lock') return lang === 'ko' ? `잠금 ${name} 대기 시간 초과` : `waited too long for the lock ${name}`;
  return kind === 'no' && lang === 'ko' ? `${name} 없음` : null;
};

/** A reason with its place, `order-api: queue full`: the place stays, the reason is said in words. */
export const placedReasonText = (reason: string, lang: Lang): string => {
  const colon = reason.lastIndexOf(': ');
  return colon < 0 ? reasonText(reason, lang) : `${reason.slice(0, colon)}: ${reasonText(reason.slice(colon + 2), lang)}`;
};

const words: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  en: {
    'no healthy': 'nobody in rotation',
    killed: 'killed while running or queued',
    patience: 'waited too long in the queue',
    'pool wait': 'waited too long for a connection',
    'pool full': 'no connection free',
    'rate limit': 'rate limit',
    'cut off': 'link cut off',
  },
  ko: {
    'queue full': '대기열 가득 참',
    patience: '대기 시간 초과',
    timeout: '응답 시간 초과',
    deadline: '전체 시한 초과',
    'connection refused': '연결 거부',
    'connect timeout': '연결 시간 초과',
    killed: '처리·대기 중 강제 종료',
    'no healthy': '분배 대상 없음',
    'pool full': '커넥션 풀 가득 참',
    'pool wait': '커넥션 대기 시간 초과',
    'rate limit': '속도 제한',
    'breaker open': '차단기 열림',
    drained: '비우기 시간 초과',
    error: '오류',
    'memory limit': '메모리 한도',
    cpu: 'CPU',
    slots: '슬롯',
    pool: '커넥션 풀',
    memory: '메모리',
    queue: '대기열',
    lock: '잠금',
    outlier: '연속 오류',
    'no handler': '처리기 없음',
    'cut off': '링크 차단',
  },
};
