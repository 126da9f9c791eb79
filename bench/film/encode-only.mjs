// ffmpeg alone: the same pictures as raw planes in a file, the film's own options without what spares the search for motion: plain veryfast.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { measured } from './cpu.mjs';

/** Draws the pictures once and leaves their planes in a file. */
export const writePlanes = async (program, { shots, width, height, folder, machine }) => {
  const file = path.join(folder, 'planes.yuv');
  const camera = await program.openCamera({ host: program.host, found: machine.browser, width, height, camera: 'screenshot', onNotice: () => undefined });
  const ffmpeg = spawn(machine.tools.ffmpeg.path, ['-y', '-loglevel', 'error', '-f', 'image2pipe', '-c:v', 'png', '-i', '-', '-vf', 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p', '-vsync', 'passthrough', '-f', 'rawvideo', file], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(ffmpeg, 'close');
  try {
    for await (const [, png] of camera.shoot(shots, ({ svg }) => svg())) if (!ffmpeg.stdin.write(png)) await once(ffmpeg.stdin, 'drain');
  } finally {
    ffmpeg.stdin.end();
    await ended;
    await camera.close();
  }
  return file;
};

export const encodeOnly = async (program, { planes, frames, width, height, folder, machine }) => {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-framerate', '30', '-i', planes];
  const options = program.outputOptions({ format: 'i420', fps: 30, frames, subtitles: null }).join(' ').replace('-map_metadata 1 -map_chapters 1 ', '').replace('-x264-params subme=0:me=dia ', '').split(' ');
  const run = await measured(async () => {
    const ffmpeg = spawn(machine.tools.ffmpeg.path, ['-y', ...input, ...options, path.join(folder, 'encode-only.mp4')], { stdio: ['ignore', 'inherit', 'inherit'] });
    const [code] = await once(ffmpeg, 'close');
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  });
  return { ...run, frames };
};
