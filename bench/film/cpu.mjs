// CPU time of this process, of the browsers below it, and of the encoders that it started, as Linux counts it (10 ms steps).
import { readFileSync, readdirSync } from 'node:fs';

/** Wall time and CPU time of some work in ms. What lives below this process is browsers; what ended below it is encoders. */
export const measured = async (work) => {
  const before = snapshot();
  const startMs = performance.now();
  const result = await work();
  const wallMs = performance.now() - startMs;
  const after = snapshot();
  return { result, wallMs, cpuMs: { node: after.node - before.node, browser: after.browser - before.browser, encoder: after.encoder - before.encoder } };
};

const snapshot = () => {
  const { user, system } = process.cpuUsage();
  const browser = descendants(process.pid).reduce((sum, pid) => sum + timesOf(pid).reduce((a, b) => a + b, 0), 0);
  const [, , childUser, childSystem] = timesOf(process.pid);
  return { node: (user + system) / 1000, browser, encoder: childUser + childSystem };
};

/** User, system, and both of its ended children. */
const timesOf = (pid) => fieldsOf(pid).slice(11, 15).map((ticks) => Number(ticks) * 10);

/** Fields of /proc/PID/stat from the state on; empty when it is gone. */
const fieldsOf = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};

export const descendants = (root) => {
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(fieldsOf(name)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [root];
  for (let at = 0; at < found.length; at++) found.push(...(children.get(found[at]) ?? []));
  return found.slice(1);
};

/** Resident memory of processes in bytes, without the pages of program files: other browsers of the machine share those, so that they come and go. */
export const residentBytes = (pids) => pids.reduce((sum, pid) => sum + (rssOf(pid, 'RssAnon') + rssOf(pid, 'RssShmem')) * 1024, 0);

const rssOf = (pid, name) => {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};
