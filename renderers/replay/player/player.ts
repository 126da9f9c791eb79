import { beganAtMs, byBeginning } from '../../../src/study/events.js';
import type { Lang, LoggedEvent, Study } from '../../../src/study/types.js';
import type { Theme } from '../../look/palette.js';
import type { Frame } from '../../stage/frame.js';
import { filmTimesOf } from '../../stage/pace.js';
import { sceneOf, type Scene } from '../../stage/scene.js';
import { stopsInRun, type Stop } from '../../stage/stops.js';
import { advance } from '../course.js';
import { hasInstance } from '../instances.js';

/** Simulated seconds in a second, or as fast as the film. */
export type Speed = number | 'film';
export const speeds: readonly Speed[] = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 'film'];

/** All that decides what is shown. */
export interface View {
  readonly variant: string;
  readonly tick: number;
  readonly lang: Lang;
  readonly theme: Theme;
  readonly frame: Frame;
  readonly speed: Speed;
  readonly isPlaying: boolean;
  /** Index of the question that is held, or null. `tick` is then the one before it. */
  readonly held: number | null;
  /** The instance that is followed: `order-api.2`. */
  readonly followed: string | null;
  /** The part of the system whose events are listed; null = all. */
  readonly part: string | null;
  /** Events and figures stand beside the stage. */
  readonly isAside: boolean;
}

export type Part = (view: View, before: View | null) => void;

/** The state of the replay, and the clock that plays it. Parts are shown at most once an animation frame. */
export class Player {
  #view: View;
  #shown: View | null = null;
  #shownMs = 0;
  #lastFrameMs: number | null = null;
  #isScheduled = false;
  #isStarted = false;
  readonly #parts: Part[] = [];

  constructor(readonly study: Study, first: View) {
    this.#view = this.#possible(first);
  }

  get view(): View {
    return this.#view;
  }
  get scene(): Scene {
    return sceneOf(this.study, this.#view.variant, this.#view.frame);
  }
  get lastTick(): number {
    return this.scene.run.ticks.count - 1;
  }
  get stops(): readonly { readonly stop: Stop; readonly tick: number }[] {
    return stopsInRun(this.study, this.#view.variant);
  }
  /** The tick that the stage tells the time of: a question's own while it is held. */
  get shownTick(): number {
    const { held, tick } = this.#view;
    return held === null ? tick : this.stops[held].tick;
  }
  /** Simulated seconds in a second at a tick. */
  speedAt(tick: number): number {
    const { speed } = this.#view;
    return speed === 'film' ? this.scene.tickMs / filmTimesOf(this.study, this.#view.variant)[tick] : speed;
  }

  add(part: Part): void {
    this.#parts.push(part);
  }
  /** Shows every part, once all of them stand in the page. */
  start(): void {
    this.#isStarted = true;
    this.#schedule();
  }

  change(changes: Partial<View>): void {
    this.#view = this.#possible({ ...this.#view, ...changes });
    this.#schedule();
  }

  /** Shows a tick; whatever was held or played there is left. */
  seek(tick: number): void {
    this.#shownMs = 0;
    this.change({ tick, held: null });
  }
  /** As a hand does it: playing ends. */
  step(ticks: number): void {
    const { tick, held } = this.#view;
    // On from a question is its answer.
    this.#shownMs = 0;
    this.change({ tick: held !== null && ticks > 0 ? this.stops[held].tick + ticks - 1 : tick + ticks, held: null, isPlaying: false });
  }
  seekMs(ms: number): void {
    this.seek(this.tickOf(ms));
  }
  tickOf(ms: number): number {
    return Math.floor(ms / this.scene.tickMs + 1e-6);
  }
  /** To the first event after this tick, or the last one before it, of the part that is listed. */
  toEvent(direction: 1 | -1): void {
    const { tick } = this.#view;
    const ticks = this.events().map((event) => this.tickOfEvent(event));
    const next = direction === 1 ? ticks.find((at) => at > tick) : ticks.findLast((at) => at < tick);
    if (next === undefined) return;
    this.#shownMs = 0;
    this.change({ tick: next, held: null, isPlaying: false });
  }

  /** Events that are listed, in the order in which they began. */
  events(): readonly LoggedEvent[] {
    const { part } = this.#view;
    const log = byBeginning(this.scene.run.eventLog);
    return part === null ? log : log.filter((event) => concerns(event, part));
  }
  /** The tick in which it began. */
  tickOfEvent(event: LoggedEvent): number {
    return Math.min(this.lastTick, Math.floor(beganAtMs(event) / this.scene.tickMs + 1e-9));
  }
  /** The tick in which it is known: a question that is held before that does not tell it. */
  noticedTick({ tMs }: LoggedEvent): number {
    return Math.min(this.lastTick, Math.floor(tMs / this.scene.tickMs + 1e-9));
  }

  toggle(): void {
    const { isPlaying, held, tick } = this.#view;
    if (held !== null) return this.answer();
    if (isPlaying) return this.change({ isPlaying: false });
    const from = tick === this.lastTick ? 0 : tick;
    this.#shownMs = 0;
    const first = from === 0 ? this.stops.findIndex((stop) => stop.tick === 0) : -1;
    this.change(first >= 0 ? { tick: 0, held: first } : { tick: from, isPlaying: true });
  }

  /** From the question to what happened, or to the next question of the same moment. */
  answer(): void {
    const { held } = this.#view;
    if (held === null) return;
    const { tick } = this.stops[held];
    this.#shownMs = 0;
    this.change(this.stops[held + 1]?.tick === tick ? { held: held + 1 } : { held: null, tick, isPlaying: true });
  }

  #possible(view: View): View {
    const variant = Object.hasOwn(this.study.runs, view.variant) ? view.variant : Object.keys(this.study.runs)[0];
    const scene = sceneOf(this.study, variant, view.frame);
    const tick = Math.max(0, Math.min(scene.run.ticks.count - 1, Math.round(view.tick)));
    const isSameRun = variant === this.#view?.variant || this.#view === undefined;
    return { ...view, variant, tick, held: isSameRun ? view.held : null, followed: view.followed !== null && hasInstance(scene, view.followed) ? view.followed : null };
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isStarted) return;
    this.#isScheduled = true;
    requestAnimationFrame((nowMs) => {
      this.#isScheduled = false;
      this.#play(nowMs);
      const [view, before] = [this.#view, this.#shown];
      this.#shown = view;
      if (view !== before) for (const part of this.#parts) part(view, before);
      if (this.#view.isPlaying) this.#schedule();
    });
  }

  /** Moves on by the time since the last animation frame; a page that was hidden does not leap. */
  #play(nowMs: number): void {
    const elapsedMs = this.#lastFrameMs === null ? 0 : Math.min(longestFrameMs, nowMs - this.#lastFrameMs);
    this.#lastFrameMs = this.#view.isPlaying ? nowMs : null;
    if (!this.#view.isPlaying) return;
    const { tick } = this.#view;
    const pace = { msOf: (at: number) => this.scene.tickMs / this.speedAt(at), ticks: this.lastTick + 1, stops: new Set(this.stops.map((stop) => stop.tick)) };
    const next = advance({ tick, shownMs: this.#shownMs }, elapsedMs, pace);
    this.#shownMs = next.shownMs;
    if (next.heldBefore !== null) this.#view = { ...this.#view, tick: next.tick, isPlaying: false, held: this.stops.findIndex((stop) => stop.tick === next.heldBefore) };
    else if (next.isOver || next.tick !== tick) this.#view = { ...this.#view, tick: next.tick, isPlaying: !next.isOver };
  }
}
const longestFrameMs = 250;

/** Whether an event is about a part of the system: it happened to it, or on a link to or from it. */
export const concerns = ({ subject, data }: LoggedEvent, part: string): boolean =>
  [subject, String(data['link'] ?? ''), String(data['target'] ?? '')].some((name) => name === part || name.split('.').includes(part));
