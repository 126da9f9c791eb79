import { exitCodes, FaultreelError } from '../../errors.js';
import { grouped } from '../../scenario/grouped.js';
import { sayTime } from '../../scenario/meaning/times.js';

/** How far a run came, and what asked most of it. */
export interface Busiest {
  readonly variant: string;
  readonly events: number;
  /** Events, and steps inside them. */
  readonly work: number;
  readonly nowMs: number;
  readonly durationMs: number;
  readonly traffic: { readonly name: string; readonly count: number } | null;
  /** `caller.callee`, with its calls and probes. */
  readonly link: { readonly name: string; readonly count: number } | null;
}

/** The error of a run that takes more events than it may; `stands`: the clock does not go on. */
export const endless = (simulation: { readonly busiest: () => Busiest }, stands: boolean): FaultreelError => {
  const { variant, events, work, nowMs, durationMs, traffic, link } = simulation.busiest();
  const asked = [
    ...(traffic ? [`\`traffic.${traffic.name}\` has asked ${grouped(traffic.count)} times`] : []),
    ...(link ? [`most calls went over \`${link.name}\` (${grouped(link.count)})`] : []),
  ].join(', ');
  const so = asked === '' ? '' : `: ${asked}`;
  const most = work > 2 * events ? 'steps, most of which take no time,' : 'events and steps';
  const now = nowMs < 1 ? '0s' : sayTime(Math.floor(nowMs));
  const where = traffic ? { at: { path: `traffic.${traffic.name}`, variant } } : {};
  return new FaultreelError(exitCodes.invalidScenario, stands
    ? { message: `${variant}: the clock stands still at ${now}, after ${grouped(events)} events${so}`, hint: 'something goes round without taking time: give a step, a think time, a back-off or a link latency some', ...where }
    : {
        message: `${variant}: more than ${grouped(work)} ${most} by ${now} of ${sayTime(durationMs)}${so}`,
        hint: `ask less often, let steps multiply less (\`times\`, \`publish\`, \`parallel\`, retries of retries), or make the run shorter; if it is meant, allow more: --set bounds.events=${Math.ceil((work * Math.min(1000, 2 * Math.max(1, durationMs / Math.max(1, nowMs)))) / 1e9) * 1e9}`,
        ...where,
      });
};
