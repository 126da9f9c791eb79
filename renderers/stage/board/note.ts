import { numberAt } from '../../../src/study/columns.js';
import type { PictureService } from '../../../src/study/types.js';
import type { TextRun } from '../../look/drawing.js';
import { bytes, cores, count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { addFlow, linkFlow, type LinkFlow } from '../flows.js';
import type { Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { instancesOf, meanOf } from './levels.js';

/** All that reaches it, and how it ended. */
export const flowInto = (name: string, { scene, window }: Pick<Moment, 'scene' | 'window'>): LinkFlow =>
  scene.run.system.links.filter(({ callee }) => callee === name).reduce((sum, link) => addFlow(sum, linkFlow(scene, link, 'reached', window.from, window.to)), { sent: 0, good: 0, declined: 0, refused: 0, failed: 0 });

/** What goes wrong at it: the shares of what ended refused and failed there; where the room is too narrow for both, the graver one; none where all is well. */
export const badShares = (name: string, moment: Moment, size: number, room: number): readonly TextRun[] => {
  const { palette, words } = moment;
  if (moment.veil.has(name)) return [];
  const { good, declined, refused, failed } = flowInto(name, moment);
  const ended = good + declined + refused + failed;
  const bad: TextRun[] = [
    ...(refused > 0 ? [{ text: refused === ended ? words.allRefused : words.refusedShare(wholePercent(refused / ended)), fill: palette.refusedText }] : []),
    ...(failed > 0 ? [{ text: `${refused > 0 ? '  ' : ''}${failed === ended ? words.allFailed : words.failedShare(wholePercent(failed / ended))}`, fill: palette.failedText }] : []),
  ];
  return bad.length > 1 && widthOfRuns(bad, size) > room ? bad.slice(1).map((run) => ({ ...run, text: run.text.trim() })) : bad;
};

export const widthOfRuns = (runs: readonly TextRun[], size: number): number => runs.reduce((sum, { text }) => sum + textWidth(text, size, 600), 0);

/** The share of the graver trouble alone, for where there is no room for its word. */
export const worstShare = (name: string, moment: Moment): { readonly text: string; readonly isFailed: boolean } => {
  const { good, declined, refused, failed } = flowInto(name, moment);
  return { text: wholePercent((failed > 0 ? failed : refused) / (good + declined + refused + failed)), isFailed: failed > 0 };
};

/** Part of the time in which its CPU quota was used up, the worst of its instances. */
export const throttledShare = (name: string, moment: Moment): number => Math.max(0, ...instancesOf(moment, name).map((instance) => meanOf([instance.throttled], moment)));

/** Where it runs and what bounds it, the most telling first. */
export const placeNotes = (service: PictureService, { board, words, scene, tick }: Moment): readonly string[] => {
  const host = scene.run.system.hosts.find(({ name }) => name === service.host);
  // What is as much as its machine has is no bound of its own.
  const cpus = service.cpus === null || service.cpus === host?.cpus ? null : cores(service.cpus);
  const where =
    service.host !== null ? [board.onHost(service.host, cpus)]
    : service.beside !== null ? [board.beside(service.beside), ...(cpus === null ? [] : [board.cores(cpus)])]
    : service.machine ? [board.machine(service.machine.name, cores(service.cpus ?? service.machine.cpus))]
    : cpus === null ? [] : [board.cores(cpus)];
  return [
    ...(service.autoscale === null ? [] : [board.desired(count(numberAt(scene.run.ticks.services[service.name].desired, tick)))]),
    ...(service.consumes === null ? [] : [board.consumes(service.consumes)]),
    ...(service.rateLimit === null ? [] : [board.rateLimit(perSecond(service.rateLimit.perS), service.rateLimit.scope === 'instance' && service.instancesMax > 1)]),
    ...where,
    ...(service.memoryLimitBytes === null || !host || service.memoryLimitBytes === host.memoryBytes ? [] : [bytes(service.memoryLimitBytes)]),
    ...Object.entries(service.stock).filter(([, units]) => units > 0).map(([name, units]) => board.stock(name, count(units))),
    ...(service.instancesMax > 1 ? [service.autoscale ? words.most(service.instancesMax) : words.instances(service.instancesMax)] : []),
  ];
};
