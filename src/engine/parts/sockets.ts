/** Services that may forward one after another before a socket reaches the one that holds it. */
const deepest = 8;

interface Socket {
  readonly source: number;
  readonly row: number;
  /** By depth: the place that it is pinned to, −1 = none yet; and whether that place counts it. */
  readonly places: Int32Array;
  readonly isHeld: Uint8Array;
}

/** Open sockets that can be counted off, added to and taken from in no time; their order is that of opening until one closes. */
export class SocketGroup {
  readonly numbers: number[] = [];
  private readonly positions = new Map<number, number>();

  get size(): number {
    return this.numbers.length;
  }

  add(number: number): void {
    this.positions.set(number, this.numbers.push(number) - 1);
  }

  /** The last one takes its place. */
  delete(number: number): void {
    const position = this.positions.get(number);
    if (position === undefined) return;
    this.positions.delete(number);
    const last = this.numbers.pop()!;
    if (last === number) return;
    this.numbers[position] = last;
    this.positions.set(last, position);
  }
}

/**
 * Long-lived sockets: each is pinned, when its first request passes, to one instance of every service that forwards that request as it is, and to the one
 * that handles it. All of them hold the connection.
 */
export class Sockets {
  /** By number; null once it is closed. Numbers are not used again: requests of a closed socket may still be on their way. */
  private readonly all: (Socket | null)[] = [];
  /** By source, and by source and room: open sockets. */
  private readonly bySource: SocketGroup[] = [];
  private readonly byRoom = new Map<number, Map<number, SocketGroup>>();

  constructor(sources: number, private readonly hold: (place: number, change: 1 | -1) => void) {
    for (let source = 0; source < sources; source++) this.bySource.push(new SocketGroup());
  }

  /** All that are open. */
  get openCount(): number {
    return this.bySource.reduce((sum, open) => sum + open.size, 0);
  }

  open(source: number, row: number): number {
    const number = this.all.push({ source, row, places: new Int32Array(deepest).fill(-1), isHeld: new Uint8Array(deepest) }) - 1;
    this.bySource[source].add(number);
    if (row >= 0) this.room(source, row).add(number);
    return number;
  }

  close(number: number): void {
    const socket = this.all[number];
    if (!socket) return;
    this.all[number] = null;
    this.bySource[socket.source].delete(number);
    if (socket.row >= 0) this.room(socket.source, socket.row).delete(number);
    for (let depth = 0; depth < deepest; depth++) if (socket.isHeld[depth]) this.hold(socket.places[depth], -1);
  }

  /** Place that the socket is pinned to at this depth, −1 = none. */
  pinned(number: number, depth: number): number {
    return this.all[number]?.places[depth] ?? -1;
  }

  pin(number: number, depth: number, place: number): void {
    const socket = this.all[number];
    if (socket && depth < deepest) socket.places[depth] = place;
  }

  /** The socket has reached the place that it is pinned to: from now on it holds a connection there. */
  arrive(number: number, depth: number): void {
    const socket = this.all[number];
    if (!socket || depth >= deepest || socket.isHeld[depth] || socket.places[depth] < 0) return;
    socket.isHeld[depth] = 1;
    this.hold(socket.places[depth], 1);
  }

  /** Whether the place holds the socket. */
  isAt(number: number, place: number): boolean {
    const socket = this.all[number];
    for (let depth = 0; socket && depth < deepest; depth++) if (socket.isHeld[depth] && socket.places[depth] === place) return true;
    return false;
  }

  /** Open sockets of a traffic; of one room when `row` is not −1 and the traffic has rooms. */
  of(source: number, row: number): SocketGroup {
    return row >= 0 && this.byRoom.has(source) ? this.room(source, row) : this.bySource[source];
  }

  /** Closes every socket that the place holds or is pinned to, and tells of each. */
  breakAt(place: number, tell: (source: number, socket: number) => void): void {
    for (const sockets of this.bySource) {
      for (const number of [...sockets.numbers]) {
        const socket = this.all[number]!;
        if (!socket.places.includes(place)) continue;
        this.close(number);
        tell(socket.source, number);
      }
    }
  }

  private room(source: number, row: number): SocketGroup {
    let rooms = this.byRoom.get(source);
    if (!rooms) this.byRoom.set(source, (rooms = new Map<number, SocketGroup>()));
    let room = rooms.get(row);
    if (!room) rooms.set(row, (room = new SocketGroup()));
    return room;
  }
}
