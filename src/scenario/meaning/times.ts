import { sayBase } from '../grammar/basic.js';
import { grouped } from '../grouped.js';
import { limits } from '../limits.js';
import type { Traffic } from '../model.js';
import { stairsOf, stepWindow } from '../system/phases.js';
import type { Asking } from './asking.js';

/** Ticks, phases, faults, stairs, ramps, start and stop: within the run and in order. */
export const checkTimes = (asking: Asking): void => {
  checkTicks(asking);
  checkPhases(asking);
  for (const fault of asking.system.faults) {
    if (fault.atMs >= asking.system.durationMs) asking.complain(`faults.${fault.name}.at`, `expected the fault \`${fault.name}\` to begin before the run ends (${sayTime(asking.system.durationMs)}), found ${sayTime(fault.atMs)}`);
  }
  for (const source of asking.system.traffic) {
    checkStartAndStop(asking, source);
    checkStairs(asking, source);
    checkRamp(asking, source);
  }
};

/** `4m30s` of 270,000 ms. */
export const sayTime = (ms: number): string => {
  if (!(ms >= 1_000)) return sayBase('duration', ms);
  const parts = [[Math.floor(ms / 3_600_000), 'h'], [Math.floor(ms / 60_000) % 60, 'm'], [(ms % 60_000) / 1_000, 's']] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? `${count}${unit}` : [])).join('');
};

const checkTicks = ({ system: { durationMs, tickMs }, complain }: Asking): void => {
  const ticks = durationMs / tickMs;
  if (ticks > limits.ticks) {
    const tick = sayTime(Math.ceil(durationMs / limits.ticks / 1_000) * 1_000);
    complain('duration', `expected at most ${grouped(limits.ticks)} ticks, found ${grouped(Math.ceil(ticks))}: ${sayTime(durationMs)} in ticks of ${sayTime(tickMs)}`, `make the tick longer (\`tick: ${tick}\`) or the run shorter`);
  } else if (Math.abs(ticks - Math.round(ticks)) > 1e-9) {
    complain('duration', `expected a whole number of ticks, found ${sayTime(durationMs)} in ticks of ${sayTime(tickMs)}`, `make the run a multiple of the tick, such as ${sayTime(Math.ceil(ticks) * tickMs)}`);
  }
};

const checkPhases = ({ system: { phases, durationMs, traffic }, complain, complainKey }: Asking): void => {
  const fromStairs = traffic.reduce((count, source) => count + (stairsOf(source)?.steps.length ?? 0), 0);
  const named = phases.slice(0, phases.length - fromStairs);
  for (const { name, fromMs, toMs } of named) {
    const path = `phases.${name}`;
    if (toMs <= fromMs) complain(path, `expected the phase \`${name}\` to end after it begins, found [${sayTime(fromMs)}, ${sayTime(toMs)}]`, toMs < fromMs ? `write [${sayTime(toMs)}, ${sayTime(fromMs)}]` : 'a phase of no length judges nothing');
    else if (toMs > durationMs) complain(`${path}.1`, `expected the phase \`${name}\` to end with the run at the latest (${sayTime(durationMs)}), found ${sayTime(toMs)}`, `shorten the phase, or let the run last longer: \`duration: ${sayTime(toMs)}\``);
  }
  const names = new Set<string>();
  for (const { name } of phases) {
    if (names.has(name)) complainKey(`phases.${name}`, `expected one phase called \`${name}\`, found two: some stairs make a phase of this name`, 'give the phase another name');
    names.add(name);
  }
};

const checkStartAndStop = ({ system: { durationMs }, complain }: Asking, { name, startMs, stopMs }: Traffic): void => {
  const path = `traffic.${name}`;
  if (startMs >= durationMs) complain(`${path}.start`, `expected \`${name}\` to start before the run ends (${sayTime(durationMs)}), found ${sayTime(startMs)}`);
  else if (stopMs <= startMs) complain(`${path}.stop`, `expected \`${name}\` to stop after it starts (${sayTime(startMs)}), found ${sayTime(stopMs)}`);
  else if (stopMs > durationMs) complain(`${path}.stop`, `expected \`${name}\` to stop with the run at the latest (${sayTime(durationMs)}), found ${sayTime(stopMs)}`, 'leave `stop` out: it then lasts to the end');
};

const checkStairs = ({ system: { durationMs }, complain }: Asking, source: Traffic): void => {
  const stairs = stairsOf(source);
  if (!stairs) return;
  const end = stepWindow(stairs, source.startMs, stairs.steps.length - 1).toMs;
  const path = `traffic.${source.name}.${source.source.kind === 'open' ? 'open.rate' : 'closed.users'}.stairs`;
  if (end > durationMs) complain(path, `expected the stairs of \`${source.name}\` to end with the run at the latest (${sayTime(durationMs)}), found ${sayTime(end)}: ${stairs.steps.length} steps of ${sayTime(stairs.each.value)}`, `fewer or shorter steps, or \`duration: ${sayTime(end)}\``);
};

const checkRamp = ({ complain }: Asking, { name, source }: Traffic): void => {
  const profile = source.kind === 'open' ? source.rate : source.kind === 'closed' ? source.users : undefined;
  if (profile?.kind !== 'ramp') return;
  const path = `traffic.${name}.${source.kind === 'open' ? 'open.rate' : 'closed.users'}`;
  profile.points.forEach(({ atMs }, index) => {
    const before = profile.points[index - 1]?.atMs;
    if (before !== undefined && atMs < before) complain(`${path}.${index}.0`, `expected the times of the ramp \`${path}\` in order, found ${sayTime(atMs)} after ${sayTime(before)}`);
  });
};
