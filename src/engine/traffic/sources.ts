import type { Flow } from '../flow/flow.js';
import { Place, type Call, type Outcome } from '../kernel/calls.js';
import { block, encipher, siteOf } from '../kernel/keyed-draws.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { Instance } from '../parts/instance.js';
import type { Plan, SourcePlan } from '../plan/plan.js';
import type { Recorder } from '../record/recorder.js';
import { rowsOf, type RowOf } from './keys.js';
import { makeSource } from './make-source.js';
import type { Source } from './source.js';

/** Rows from here on belong to one request or burst alone; those below are numbers of keys. */
const firstFreshRow = 1 << 30;
const anotherSite = siteOf('another row');

/** One source of requests, and where it is in the flow. */
interface Copy {
  readonly place: Place;
  readonly plan: SourcePlan;
  /** In which instance it is, from 0. */
  readonly ordinal: number;
  source: Source | null;
}

/** All sources of a run: one for each traffic, or one in each instance of the service that the traffic comes from. */
export class Sources {
  /** Requests offered so far. */
  requests = 0;
  readonly copies: readonly Copy[];
  private readonly rows: readonly RowOf[];
  private nextFreshRow = firstFreshRow;

  constructor(
    private readonly plan: Plan,
    private readonly queue: EventQueue,
    private readonly seed: number,
    private readonly instances: readonly Instance[],
    private readonly firstPlace: readonly number[],
  ) {
    const copies: Copy[] = [];
    for (const source of plan.sources) {
      const count = source.from < 0 ? 1 : plan.services[source.from].maxInstances;
      for (let ordinal = 0; ordinal < count; ordinal++) copies.push({ place: new Place(instances.length + copies.length, null), plan: source, ordinal, source: null });
    }
    this.copies = copies;
    this.rows = plan.sources.map(({ model }) => rowsOf(model.keys, () => this.freshRow()));
  }

  /** Schedules everything that the sources send. */
  start(flow: Flow, recorder: Recorder): void {
    this.copies.forEach((copy) => (copy.source = makeSource({
      queue: this.queue,
      plan: copy.plan,
      seed: this.seed,
      stopNs: this.plan.durationNs,
      ordinal: copy.ordinal,
      isAlive: () => this.hostOf(copy)?.serves ?? true,
      sockets: flow.parts.sockets,
      offer: (program, key0, key1, row, tag, socket) => {
        const segment = this.admit(recorder, copy.plan);
        if (segment >= 0) flow.beginRequest(copy.place, program, key0, key1, row, tag, socket, segment);
        return segment >= 0;
      },
      freshRow: () => this.freshRow(),
    })));
  }

  /** Stretch of the run that a request offered now belongs to, or −1: beyond the generator's limit, dropped. */
  private admit(recorder: Recorder, { index, model }: SourcePlan): number {
    const record = recorder.traffic[index];
    const segment = recorder.cuts.at(this.queue.now);
    if (record.inFlight >= model.limit.value) {
      record.dropped(segment);
      return -1;
    }
    this.requests++;
    record.offered(segment);
    return segment;
  }

  /** Number of the traffic that a request at its source belongs to. */
  trafficOf({ place }: Call): number {
    return this.copyAt(place).plan.index;
  }

  ended({ place, tag }: Call, outcome: Outcome): void {
    this.copyAt(place).source!.ended(tag, outcome);
  }

  socketBroken(source: number, socket: number): void {
    for (const { plan, source: own } of this.copies) if (plan.index === source) own!.socketBroken(socket);
  }

  presentOf(source: number): number | null {
    let sum: number | null = null;
    for (const { plan, source: own } of this.copies) if (plan.index === source && own!.present !== null) sum = (sum ?? 0) + own!.present;
    return sum;
  }

  /** Another row for a request of the source at this place; one inside the system, or without keys, gets one that nobody has had. */
  anotherRow(place: Place, key0: number, key1: number, occurrence: number): number {
    const copy = place.instance === null ? this.copyAt(place) : null;
    if (!copy?.plan.model.keys || copy.plan.model.keys.kind === 'per-burst') return this.freshRow();
    encipher(key0, key1, anotherSite, occurrence);
    return this.rows[copy.plan.index](block[0], block[1], 0);
  }

  private copyAt({ number }: Place): Copy {
    return this.copies[number - this.instances.length];
  }

  private freshRow(): number {
    return this.nextFreshRow++;
  }

  private hostOf({ plan, ordinal }: Copy): Instance | null {
    return plan.from < 0 ? null : this.instances[this.firstPlace[plan.from] + ordinal];
  }
}
