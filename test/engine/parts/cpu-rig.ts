import { CallPool, Place, type Call } from '../../../src/engine/kernel/calls.js';
import { EventQueue } from '../../../src/engine/kernel/event-queue.js';
import { Container, type ContainerOptions } from '../../../src/engine/parts/cpu.js';
import { CpuPool } from '../../../src/engine/parts/cpu-pool.js';

export const ms = 1e6;

/** Containers by themselves: jobs begin and things happen at stated times, and the ends of the jobs are noted. */
export class CpuRig {
  readonly queue = new EventQueue();
  readonly calls = new CallPool();
  readonly containers: Container[] = [];
  /** By job: when it was done, ns; undefined while it is not. */
  readonly endsNs: number[] = [];
  /** Called when a job is done, at that instant. */
  onEnd: (job: number) => void = () => {};

  private readonly jobOf = new Map<Call, number>();
  private readonly callOf: Call[] = [];
  private readonly actions: (() => void)[] = [];
  private readonly actionKind = this.queue.register((index) => this.actions[index]());
  private readonly containerKind = this.queue.register<Container>((container) => container.fire((call) => this.ended(call)));

  pool(cores: number): CpuPool {
    return new CpuPool(this.queue, cores);
  }

  container(options: Partial<ContainerOptions> = {}): Container {
    const made = new Container(this.queue, this.containerKind, { capCores: Infinity, weight: 1, throttle: 'smooth', pool: null, ...options });
    this.containers.push(made);
    return made;
  }

  at(timeNs: number, action: () => void): void {
    this.queue.at(timeNs, this.actionKind, this.actions.push(action) - 1);
  }

  /** A job of so much begins now. Returns its number. */
  begin(container: Container, demandNs: number): number {
    const call = this.calls.take(new Place(0, null));
    const job = this.callOf.push(call) - 1;
    this.jobOf.set(call, job);
    container.begin(call, demandNs);
    return job;
  }

  remove(container: Container, job: number): void {
    container.remove(this.callOf[job]);
    this.calls.give(this.callOf[job]);
  }

  run(untilNs: number): this {
    if (!this.queue.runUntil(untilNs, 10_000_000)) throw new Error('it does not come to an end');
    return this;
  }

  private ended(call: Call): void {
    const job = this.jobOf.get(call)!;
    this.endsNs[job] = this.queue.now;
    this.calls.give(call);
    this.onEnd(job);
  }
}
