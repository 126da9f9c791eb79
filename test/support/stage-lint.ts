import { landscape } from '../../renderers/stage/frame.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import type { Lang, Study } from '../../src/study/types.js';
import { lintDrawing } from './drawing-lint.js';
import { lintShapes } from './shape-lint.js';

/** What is wrong with a frame's texts anywhere, and with what lies around the texts of its stage. */
export const flawsOnStage = (study: Study, variant: string, tick: number, lang: Lang): readonly string[] => {
  const drawing = stageDrawing(study, variant, tick, { lang, theme: 'dark', speed: 2 });
  return [...lintDrawing(drawing), ...lintShapes(drawing, landscape.stage)];
};
