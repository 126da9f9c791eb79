// Writes changed.json: the scenarios of check.json that did not pass, whose figures or verdicts changed, or whose file did, in this order; why each is among them, and in which variant one sees it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [out] = process.argv.slice(2);
const reasons = ['invalid', 'not as told', 'figures changed', 'no baseline yet', 'file changed'];

const reasonOf = ({ because, status, drift, baseline, goals }) => {
  if (status === 'invalid') return 'invalid';
  if (goals.some(({ asTold }) => !asTold)) return 'not as told';
  if (drift && baseline !== 'unchanged') return 'figures changed';
  if (baseline === 'missing') return 'no baseline yet';
  return because === 'file' ? 'file changed' : null;
};

/** The first variant that is judged, when something is new in it, else the one with most news; null: nobody knows a better one than the first. */
const variantOf = ({ goals, drift }) => {
  const news = [...goals.filter(({ asTold }) => !asTold), ...(drift?.turned ?? []), ...(drift?.changed ?? []).map(({ figure }) => figure)].flatMap(({ variant }) => variant ?? []);
  const times = (one) => news.filter((other) => other === one).length;
  return news.includes(goals[0]?.variant) ? goals[0].variant : ([...new Set(news)].toSorted((a, b) => times(b) - times(a))[0] ?? null);
};

const read = () => {
  const file = path.join(out, 'check.json');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // A check that could not be done prints nothing.
  if (text === '') rmSync(file, { force: true });
  return text === '' ? [] : JSON.parse(text).scenarios;
};

const changed = read().map((scenario) => ({ file: scenario.file, why: reasonOf(scenario), variant: variantOf(scenario) })).filter(({ why }) => why !== null);
writeFileSync(path.join(out, 'changed.json'), `${JSON.stringify(changed.toSorted((a, b) => reasons.indexOf(a.why) - reasons.indexOf(b.why)), null, 2)}\n`);
