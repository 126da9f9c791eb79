import type { Check, System } from '../scenario/model.js';
import type { Unsupported } from '../scenario/unsupported.js';

const latencies: readonly string[] = ['mean', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max'];

/** Checks of a valid scenario that this version cannot judge. */
export const unsupportedChecks = (system: System): Unsupported[] => [
  ...system.objectives.flatMap((check) => inCheck(check, `objectives.${check.name}`, system)),
  ...system.claims.flatMap((check) => inCheck(check, `claims.${check.name}`, system)),
];

const inCheck = (check: Check, path: string, system: System): Unsupported[] => {
  const { of = '', metric, vs } = check;
  const isLink = of.includes('.');
  const overRun = check.in === 'run';
  if (vs) return [{ path: `${path}.vs`, what: "a comparison with 'vs'" }];
  if (metric === 'lockWait') return [{ path: `${path}.lockWait`, what: 'waiting for a lock' }];
  if (system.hosts.some(({ name }) => name === of)) return [{ path: `${path}.of`, what: 'a check of a host' }];
  if (metric && isLink && !overRun && (latencies.includes(metric) || metric === 'poolWait')) return [{ path: `${path}.${metric}`, what: 'latency of a link in one phase' }];
  if (metric === 'cost' && !overRun) return [{ path: `${path}.cost`, what: 'the cost of one phase' }];
  return [];
};
