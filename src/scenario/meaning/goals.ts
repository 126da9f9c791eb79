import { metrics, type Subject } from '../grammar/condition.js';
import type { Check, Claim } from '../model.js';
import { stairsOf } from '../system/phases.js';
import { type Asking, linksWithCaller, pricesOf } from './asking.js';
import { checkEvent } from './events.js';

/** Objectives and claims: what they judge exists, can have the metric, and is judged in phases that exist. */
export const checkGoals = (asking: Asking): void => {
  const reference = asking.variants[0];
  for (const objective of asking.system.objectives) checkOne(asking, `objectives.${objective.name}`, objective);
  for (const claim of asking.system.claims) {
    const path = `claims.${claim.name}`;
    if (claim.variant !== undefined) asking.expectKnown(`${path}.variant`, claim.variant, asking.variants, 'the name of a variant', 'variants');
    // A claim about another variant is checked against that one.
    if ((claim.variant ?? reference) === asking.system.variant) checkClaim(asking, path, claim);
  }
};

const checkClaim = (asking: Asking, path: string, claim: Claim): void => {
  if (!claim.order) return checkOne(asking, path, claim);
  if (claim.metric) asking.complainKey(`${path}.order`, `expected a metric or \`order\` in \`${path}\`, found both`, 'write a claim of its own for each');
  claim.order.forEach((event, index) => checkEvent(asking, `${path}.order.${index}`, event));
};

const checkOne = (asking: Asking, path: string, check: Check): void => {
  if (!check.metric) asking.complainKey(path, `expected a metric and its condition in \`${path}\`, such as \`good: ">= 99.9%"\`, found none`, `metrics: ${Object.keys(metrics).join(', ')}`);
  if (check.of === undefined) asking.complainKey(path, `expected \`of\` in \`${path}\`, found none`, '`of` says what is judged: a traffic, a service, a host, a link `caller.callee` or a lock');
  else checkSubject(asking, path, check);
  checkPhases(asking, path, check);
  checkCurrency(asking, path, check);
  checkComparison(asking, path, check);
};

const checkSubject = (asking: Asking, path: string, { of: subject = '', metric }: Check): void => {
  const names: Readonly<Record<Subject, readonly string[]>> = {
    traffic: [...asking.traffic.keys()],
    service: [...asking.services.keys()],
    host: asking.system.hosts.map(({ name }) => name),
    link: [...linksWithCaller(asking.system)].map(({ caller, link }) => `${caller}.${link.callee}`),
    lock: [...asking.locks],
  };
  const kinds = Object.entries(names).filter(([, known]) => known.includes(subject)).map(([kind]) => kind as Subject);
  if (kinds.length === 0) return void asking.expectKnown(`${path}.of`, subject, Object.values(names).flat(), 'a traffic, service, host, link or lock', 'known here');
  if (!metric || kinds.some((kind) => metrics[metric].of.includes(kind))) return;
  const fitting = metrics[metric].of.map((kind) => `a ${kind}`).join(' or ');
  const candidates = metrics[metric].of.flatMap((kind) => names[kind]);
  const example = candidates.find((name) => name.endsWith(`.${subject}`)) ?? candidates.find((name) => name.startsWith(`${subject}.`)) ?? candidates[0];
  asking.complain(`${path}.of`, `expected ${fitting} for \`${path}\`, because \`${metric}\` is a figure of ${fitting}; found \`${subject}\`, a ${kinds[0]}`, example === undefined ? undefined : `for example \`of: ${example}\``);
};

const checkPhases = (asking: Asking, path: string, { in: where, breaks }: Check): void => {
  const phases = asking.system.phases.map(({ name }) => name);
  if (where === 'each' && !asking.system.traffic.some((source) => stairsOf(source))) asking.complain(`${path}.in`, `expected a traffic with \`stairs\` for \`${path}.in: each\`, found none`, '`each` judges every step of some stairs; name phases instead');
  if (Array.isArray(where)) (where as readonly string[]).forEach((phase, index) => asking.expectKnown([...path.split('.'), 'in', ...(asking.has(`${path}.in.${index}`) ? [String(index)] : [])], phase, phases, 'the name of a phase', 'phases'));
  if (typeof breaks === 'boolean') return;
  breaks.forEach((phase, index) => {
    const at = [...path.split('.'), 'breaks', ...(asking.has(`${path}.breaks.${index}`) ? [String(index)] : [])];
    if (!asking.expectKnown(at, phase, phases, 'the name of a phase', 'phases')) return;
    if (Array.isArray(where) && !(where as readonly string[]).includes(phase)) asking.complain(at, `expected a phase that \`${path}\` is judged in (${(where as readonly string[]).join(', ')}) for \`${at.join('.')}\`, found \`${phase}\``);
    if (where === 'run') asking.complain(at, `expected \`true\` for \`${path}.breaks\`, found a phase: without \`in\` the whole run is judged`, 'say in which phases it is judged, with `in`');
  });
};

const checkCurrency = ({ system, complain }: Asking, path: string, { condition, metric }: Check): void => {
  const [price] = pricesOf(system);
  if (!price || condition?.currency === undefined || condition.currency === price.currency) return;
  complain(`${path}.${metric}`, `expected the currency of the prices (${price.currency}) for \`${path}.${metric}\`, found "${condition.text}"`, `write the limit in ${price.currency}, or the prices in ${condition.currency}`);
};

const checkComparison = (asking: Asking, path: string, { condition, metric, vs }: Check): void => {
  const compares = condition?.unit === 'factor';
  if (compares && !vs) asking.complain(`${path}.${metric}`, `expected \`vs\` beside the factor in \`${path}\`, found none`, 'say what it is compared with: `vs: {in: a phase}` or `vs: {variant: a variant}`');
  if (vs && condition && !compares && condition.text !== '') asking.complain(`${path}.${metric}`, `expected a factor such as "<= 2x" in \`${path}\`, which has \`vs\`; found "${condition.text}"`);
  if (vs?.in !== undefined) asking.expectKnown(`${path}.vs.in`, vs.in, asking.system.phases.map(({ name }) => name), 'the name of a phase', 'phases');
  if (vs?.variant !== undefined) asking.expectKnown(`${path}.vs.variant`, vs.variant, asking.variants, 'the name of a variant', 'variants');
  if (vs && vs.in === undefined && vs.variant === undefined) asking.complainKey(`${path}.vs`, `expected \`in\` or \`variant\` in \`${path}.vs\`, found none`);
};
