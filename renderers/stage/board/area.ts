import type { Frame } from '../frame.js';
import type { Structure } from '../structure.js';
import type { Board } from './place.js';

/** Between a card and the edge of the room that it stands in. */
export const roomEdge = 14;
/** Above a card there is room for the sign of a fault, and above that of a room for its edge and its name. */
const chipRoom = 18;
const podRoom = 18;
const hostStrip = { height: 58, gap: 16, most: 5 } as const;
export const keyHeight = 30;
/** Where cards may stand: above the strips of shared machines and the key, and left of the edge of a room around them. */
export interface Area {
  readonly frame: Frame;
  readonly top: number;
  readonly bottom: number;
  /** Of a column of sources, which share no machine. */
  readonly sourceBottom: number;
  readonly left: number;
  readonly right: number;
  /** Lines of strips at the foot. */
  readonly strips: { readonly lines: number; readonly bottom: number };
}

export const areaOf = ({ hosts, services }: Structure, frame: Frame, hasKey: boolean): Area => {
  const hasRooms = hosts.length > 0 || services.some(({ beside }) => beside !== null);
  const bottom = frame.stage.bottom - (hasKey ? keyHeight + 6 : 0);
  const lines = Math.ceil(hosts.length / hostStrip.most);
  return {
    frame,
    top: frame.stage.top + chipRoom + (hosts.length > 0 ? roomEdge : 0) + (services.some(({ beside }) => beside !== null) ? podRoom : 0),
    bottom: bottom - lines * (hostStrip.height + hostStrip.gap),
    sourceBottom: bottom,
    left: frame.margin,
    right: frame.right - (hasRooms ? roomEdge : 0),
    strips: { lines, bottom },
  };
};

/** Strips of the machines, under the services; in as many lines as they can be read in. */
export const hostStrips = ({ hosts }: Structure, columns: Board['columns'], { frame, strips }: Area): Board['hosts'] => {
  if (hosts.length === 0) return [];
  const services = columns.length > 1 ? columns.slice(1) : columns;
  const left = Math.max(frame.margin, Math.min(...services.map((column) => column.left)) - roomEdge);
  const right = Math.min(frame.right, Math.max(...services.map((column) => column.right)) + roomEdge);
  const perLine = Math.ceil(hosts.length / strips.lines);
  const width = (right - left - (perLine - 1) * 16) / perLine;
  return hosts.map((host, i) => ({ host, box: { x: left + (i % perLine) * (width + 16), y: strips.bottom - (strips.lines - Math.floor(i / perLine)) * hostStrip.height - (strips.lines - 1 - Math.floor(i / perLine)) * 10, width, height: hostStrip.height } }));
};

