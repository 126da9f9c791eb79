import type { Reel } from './reel.js';

/** A picture that is drawn once. */
export interface Scene {
  readonly svg: string;
  readonly frames: number;
  /** Shots that look the same and follow each other. */
  readonly shots: number;
}

/** Shots in their order, with what follows and looks the same drawn together; each shot's SVG is asked for when its turn comes. */
export function* scenesOf({ shots }: Pick<Reel, 'shots'>): Generator<Scene> {
  let scene = null as Scene | null;
  for (const shot of shots) {
    if (shot.frames === 0) {
      if (scene) scene = { ...scene, shots: scene.shots + 1 };
      continue;
    }
    const svg = shot.svg();
    if (scene?.svg === svg) {
      scene = { svg, frames: scene.frames + shot.frames, shots: scene.shots + 1 };
      continue;
    }
    if (scene) yield scene;
    scene = { svg, frames: shot.frames, shots: 1 };
  }
  if (scene) yield scene;
}
