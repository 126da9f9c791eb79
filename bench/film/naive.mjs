// What one writes first: d3 draws each tick in the page, page.screenshot() makes a PNG of it, ffmpeg makes the film. Kept as the measure of everything else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { measured } from './cpu.mjs';

export const naive = async (program, { pictures, width, height, folder, machine, output = 'naive.mp4' }) => {
  const { path: executablePath, env } = machine.browser;
  const browser = await puppeteer.launch({ executablePath, headless: 'shell', env: { ...process.env, ...env }, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width, height });
    await page.goto(`file://${await writePage(program, folder)}`);
    await page.evaluate(() => document.fonts.ready);
    // Everything that the page has to draw is there before the clock runs.
    for (const svg of pictures) await page.evaluate((text) => globalThis.remember(text), svg());
    for (let tick = 0; tick < 20; tick++) {
      await page.evaluate((index) => globalThis.draw(index), tick);
      await page.screenshot();
    }
    const run = await measured(async () => {
      const ffmpeg = spawn(machine.tools.ffmpeg.path, ['-y', '-loglevel', 'error', '-f', 'image2pipe', '-framerate', '30', '-i', '-', '-c:v', 'libx264', '-preset', 'medium', '-crf', '20', '-pix_fmt', 'yuv420p', path.join(folder, output)], { stdio: ['pipe', 'inherit', 'inherit'] });
      const ended = once(ffmpeg, 'close');
      for (let tick = 0; tick < pictures.length; tick++) {
        await page.evaluate((index) => globalThis.draw(index), tick);
        const png = await page.screenshot();
        if (!ffmpeg.stdin.write(png)) await once(ffmpeg.stdin, 'drain');
      }
      ffmpeg.stdin.end();
      const [code] = await ended;
      if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
    });
    return { ...run, frames: pictures.length };
  } finally {
    await browser.close();
  }
};

const writePage = async (program, folder) => {
  const faces = [];
  for (const { weight, bytes } of await program.loadFonts(program.host)) {
    writeFileSync(path.join(folder, `${weight}.ttf`), bytes);
    faces.push(`@font-face { font-family: ${program.fontFamily}; font-weight: ${weight}; src: url(${weight}.ttf); }`);
  }
  copyFileSync(path.join(path.dirname(createRequire(import.meta.url).resolve('d3')), '../dist/d3.min.js'), path.join(folder, 'd3.min.js'));
  const file = path.join(folder, 'naive.html');
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><style>${faces.join('\n')} body { margin: 0; overflow: hidden; } svg { display: block; font-feature-settings: 'tnum' 1; } svg text { white-space: pre; }</style><body><script src="d3.min.js"></script><script>${pageProgram}</script>`);
  return file;
};

/** Shapes of each tick as data; a tick is drawn by joining them to elements, everything anew. */
const pageProgram = `
const ticks = [];
const shapeOf = (element) => ({
  tag: element.tagName,
  attributes: [...element.attributes].filter(({ name }) => name !== 'xmlns').map(({ name, value }) => [name, value]),
  text: element.children.length === 0 ? element.textContent : null,
  children: element.children.length === 0 ? [] : [...element.childNodes].filter((node) => node.nodeType === 1 || node.textContent.trim() !== '').map((node) => (node.nodeType === 1 ? shapeOf(node) : { words: node.textContent })),
});
globalThis.remember = (text) => {
  ticks.push(shapeOf(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement));
};
const join = (parent, shapes) =>
  parent
    .selectAll(null)
    .data(shapes)
    .enter()
    .append((shape) => (shape.words ? document.createTextNode(shape.words) : document.createElementNS('http://www.w3.org/2000/svg', shape.tag)))
    .each(function (shape) {
      if (shape.words) return;
      const element = d3.select(this);
      for (const [name, value] of shape.attributes) element.attr(name, value);
      if (shape.text) element.text(shape.text);
      if (shape.children.length > 0) join(element, shape.children);
    });
globalThis.draw = (index) => {
  d3.select('body').selectAll('svg').remove();
  join(d3.select('body'), [ticks[index]]);
};
`;
