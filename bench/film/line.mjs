// The film line: camera, encoder, nothing left out but what a film does once (finding programs, starting the browser, reading the film back).
import path from 'node:path';
import { measured } from './cpu.mjs';

/** Films shots, `{frames, svg}`, and measures from the first picture asked for to the finished file. */
export const filmLine = async (program, { shots, width, height, folder, machine, camera: name, jobs, output = 'line.mp4', warm = true }) => {
  const { host, fps } = { host: program.host, fps: 30 };
  const camera = await program.openCamera({ host, found: machine.browser, width, height, camera: name, jobs, onNotice: () => undefined });
  try {
    if (warm) for await (const picture of camera.shoot(program.scenesOf({ shots: shots.slice(0, 20) }), ({ svg }) => svg)) void picture;
    const metadata = path.join(folder, 'metadata');
    await host.write(metadata, program.metadataFile({ title: 'bench', chapters: [] }, 'bench'));
    const frames = shots.reduce((sum, shot) => sum + shot.frames, 0);
    const run = await measured(async () => {
      const encoder = program.startEncoder({ host, program: machine.tools.ffmpeg, width, height, fps, frames, format: camera.format, subtitles: null, metadata, output: path.join(folder, output) });
      for await (const [scene, bytes] of camera.shoot(program.scenesOf({ shots }), ({ svg }) => svg)) await encoder.picture(bytes, scene.frames);
      await encoder.finish();
    });
    return { ...run, frames, camera: camera.name, browsers: camera.browsers };
  } finally {
    await camera.close();
  }
};
