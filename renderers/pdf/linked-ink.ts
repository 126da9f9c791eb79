import type { Area, Element, Ink, MarkedShape } from './book.js';

interface Piece {
  readonly to: string | null;
  readonly inks: Ink[];
  readonly areas: Area[];
}

/** Inks as they go into the tree: what is linked becomes an element of its own, between what stands before and after it. A link over several lines is one. */
export const withLinks = (inks: readonly Ink[]): (Element | Ink)[] => {
  const pieces: Piece[] = [];
  for (const ink of inks) {
    if (ink.shapes.length === 0) pieces.push({ to: null, inks: [ink], areas: [] });
    for (const shape of ink.shapes) {
      if (shape.kind === 'link') append(pieces, ink, shape.to, shape.shapes, [{ page: ink.page, box: shape.box }]);
      else append(pieces, ink, null, [shape], []);
    }
  }
  return pieces.flatMap(({ to, inks: own, areas }): (Element | Ink)[] => (to === null ? own : [{ tag: 'Link', link: { to, areas }, children: own }]));
};

const append = (pieces: Piece[], { page, at }: Ink, to: string | null, shapes: readonly MarkedShape[], areas: readonly Area[]): void => {
  let piece = pieces.at(-1);
  if (piece?.to !== to) pieces.push((piece = { to, inks: [], areas: [] }));
  const last = piece.inks.at(-1);
  if (last?.page === page && last.at === at && last.shapes.length > 0) (last.shapes as MarkedShape[]).push(...shapes);
  else piece.inks.push({ page, ...(at && { at }), shapes: [...shapes] });
  piece.areas.push(...areas);
};
