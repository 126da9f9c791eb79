import type { Fault } from '../../scenario/model.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { life, type Instance } from '../parts/instance.js';
import type { SharedLink } from '../parts/link.js';
import { toNs, type ServicePlan } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import type { Fleet } from './fleet.js';
import { Newcomers } from './newcomers.js';

/** Kubernetes' `terminationGracePeriodSeconds` (pod-lifecycle), where no autoscaler says how long one that goes may finish its work; ns. */
const gracePeriodNs = 30e9;

type What = Extract<Fault['what'], { verb: 'deploy' }>;

interface DeploymentContext {
  readonly queue: EventQueue;
  readonly fleet: Fleet;
  readonly log: EventLog;
  readonly links: readonly SharedLink[];
}

/** All deployments of a run; those of one service one after another. While one is under way the service's autoscaler decides nothing. */
export class Deployments {
  private readonly newcomers: Newcomers;
  /** By service: the one under way, then those that wait for it. */
  private readonly lines = new Map<number, Deployment[]>();

  constructor(private readonly context: DeploymentContext) {
    this.newcomers = new Newcomers(context.queue, context.fleet, context.links);
    // A place has become free: who waits for one goes on.
    context.fleet.listen({ gone: ({ service }) => this.lines.get(service.index)?.[0]?.proceed() });
  }

  /** Begins at once, or when the one before it is over. `done` is called at its end, good or bad. */
  begin(service: ServicePlan, what: What, done: () => void): void {
    const { fleet } = this.context;
    const line = this.lines.get(service.index) ?? [];
    this.lines.set(service.index, line);
    const over = (): void => {
      done();
      line.shift();
      if (line.length > 0) line[0].start();
      else fleet.deploying.delete(service.index);
    };
    line.push(new Deployment(this.context, this.newcomers, service, what, over));
    fleet.deploying.add(service.index);
    if (line.length === 1) line[0].start();
  }
}

/**
 * One deployment: new instances are launched beside the old ones, and when all of a batch have answered, as many old ones are drained.
 *
 * Rolling: `batch` at a time, the next when the drained ones are gone; new ones get traffic as they come up. It stops when one of a batch fails: that batch is
 * removed, what was replaced before stays, as a Kubernetes Deployment whose progress halts (deployment.md). Blue-green: one batch as large as the fleet,
 * without traffic until all of it have answered; then it gets all the traffic. When one fails, the old fleet goes on untouched.
 */
class Deployment {
  private old: Instance[] = [];
  private replaced = 0;
  private left = 0;
  private isWaiting = false;
  private leaving: readonly Instance[] = [];
  private readonly drainNs: number;

  constructor(
    private readonly context: DeploymentContext,
    private readonly newcomers: Newcomers,
    private readonly service: ServicePlan,
    private readonly what: What,
    private readonly over: () => void,
  ) {
    this.drainNs = service.autoscale ? toNs(service.autoscale.drain.value) : gracePeriodNs;
  }

  start(): void {
    this.old = this.context.fleet.present(this.service.index);
    this.left = this.old.length;
    this.isWaiting = this.left > 0;
    if (this.isWaiting) return this.proceed();
    this.tellDeployed();
    this.over();
  }

  /** The next batch, as soon as those drained last are gone and there is room for it. */
  proceed(): void {
    const { fleet } = this.context;
    const { how, batch, boot, failing } = this.what;
    if (!this.isWaiting || this.leaving.some((instance) => instance.life === life.draining)) return;
    const size = how === 'blue-green' ? this.left : Math.min(batch.value, this.left);
    const launched = fleet.free(this.service.index).slice(0, size);
    if (launched.length < size) return;
    this.isWaiting = false;
    // Those that fail are the last of all new ones.
    const hung = Math.max(0, size - Math.max(0, this.left - failing.value));
    for (const instance of launched) fleet.launch(instance, { bootNs: toNs(boot.value), cause: 'deploy', keptBack: how === 'blue-green' });
    this.newcomers.watch(launched, hung, (silent) => (silent === 0 ? this.replace(launched) : this.rollBack(launched, silent)));
  }

  private replace(launched: readonly Instance[]): void {
    const { fleet } = this.context;
    for (const instance of launched) fleet.letIn(instance);
    this.leaving = this.old.splice(0, launched.length);
    this.left -= launched.length;
    this.replaced += launched.length;
    if (this.left === 0) this.tellDeployed();
    for (const instance of this.leaving) fleet.drain(instance, this.drainNs, 'deploy');
    if (this.left === 0) return this.over();
    this.isWaiting = true;
    this.proceed();
  }

  private tellDeployed(): void {
    this.context.log.add('deployed', this.service.name, this.what.how, 'counted', { replaced: this.replaced });
  }

  /** What answers may finish its work; what hangs goes at once. */
  private rollBack(launched: readonly Instance[], silent: number): void {
    const { fleet, log } = this.context;
    log.add('rolled-back', this.service.name, this.what.how, 'counted', { failing: silent });
    for (const instance of launched) {
      if (instance.effects.isBlackholed) fleet.remove(instance, 'rolled back');
      else fleet.drain(instance, this.drainNs, 'rolled back');
    }
    this.over();
  }
}
