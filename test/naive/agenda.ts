/** Something that will happen at an instant, ns. */
export interface Due {
  readonly atNs: number;
  readonly happen: () => void;
}

/** One sorted list of what is due, by time and then by the order in which it was scheduled (rule 53). */
export class Agenda {
  /** Present time, ns. */
  now = 0;
  private readonly dues: Due[] = [];

  at(atNs: number, happen: () => void): Due {
    const due = { atNs, happen };
    let place = this.dues.length;
    while (place > 0 && this.dues[place - 1].atNs > atNs) place--;
    this.dues.splice(place, 0, due);
    return due;
  }

  after(ns: number, happen: () => void): Due {
    return this.at(this.now + ns, happen);
  }

  /** At this instant, after everything that is due now already. */
  soon(happen: () => void): Due {
    return this.at(this.now, happen);
  }

  /** What has happened already, or is null, is left alone. */
  cancel(due: Due | null): void {
    const place = due === null ? -1 : this.dues.indexOf(due);
    if (place >= 0) this.dues.splice(place, 1);
  }

  /** Lets everything happen that is due before `endNs`. */
  runUntil(endNs: number): void {
    while (this.dues.length > 0 && this.dues[0].atNs < endNs) {
      const due = this.dues.shift()!;
      this.now = due.atNs;
      due.happen();
    }
    this.now = endNs;
  }
}
