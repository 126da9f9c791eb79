import { splitSubject } from '../../src/study/events.js';
import { placeOfInstance } from '../stage/board/card.js';
import type { Box } from '../stage/frame.js';
import type { Scene } from '../stage/scene.js';

/** Instances of a variant by service, in the order of the file, each as `order-api.2`. */
export const instancesByService = ({ run }: Scene): readonly { readonly service: string; readonly names: readonly string[] }[] =>
  run.system.services.map(({ name }) => ({ service: name, names: (run.ticks.services[name]?.instances ?? []).map((_, index) => `${name}.${index + 1}`) }));

export const hasInstance = (scene: Scene, name: string): boolean => {
  const { service, instance } = splitSubject(name);
  return instance !== null && instance >= 1 && instance <= (scene.run.ticks.services[service]?.instances.length ?? 0);
};

/** Where an instance is drawn: its lane, its cell, or the card of its service when it has none of its own; null when it is not drawn. */
export const placeOf = ({ layout }: Scene, name: string): Box | null => {
  const { service, instance } = splitSubject(name);
  if (instance === null) return null;
  const card = layout.board?.cards.find((one) => one.name === service);
  if (card) return placeOfInstance(card, instance - 1);
  if (layout.group?.service.name === service) return layout.group.lanes[instance - 1] ?? layout.group.box;
  return layout.nodes.find((node) => node.name === service)?.box ?? null;
};

/** The instance that is drawn at a point of the stage, px of the frame. One that shares its place with others is nobody. */
export const instanceAt = (scene: Scene, x: number, y: number): string | null => {
  for (const { names } of instancesByService(scene)) {
    const places = names.map((name) => placeOf(scene, name));
    const hits = names.filter((_, index) => holds(places[index], x, y));
    if (hits.length === 1) return hits[0];
  }
  return null;
};

const holds = (box: Box | null, x: number, y: number): boolean => box !== null && x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
