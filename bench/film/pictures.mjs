// What is filmed: consecutive ticks of the spike scenario around its incident, every one another picture.
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const spike = 'scenarios/order-api-spike.yaml';

/** SVG texts of so many ticks from tick 240 on, each drawn when it is asked for, as the film does. */
export const picturesOf = ({ root, parse, simulate, frameSvg }, { frames, width, height }) => {
  const file = path.join(root, spike);
  const study = simulate(parse(readFileSync(file, 'utf8'), { file: spike }));
  const [variant] = Object.keys(study.runs);
  const size = `width="${width}" height="${height}"`;
  const svgOf = (tick) => frameSvg(study, variant, tick, { lang: 'ko', theme: 'dark', speed: 1 }).replace(/^<svg ([^>]*?)width="1920" height="1080"/, `<svg $1${size}`);
  return Array.from({ length: frames }, (_, index) => () => svgOf(240 + index));
};
