import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

/**
 * Compares SVG text with a golden file, numbers rounded to 3 decimals. On a mismatch the new picture is written beside it as `-changed.svg` and the test fails.
 * To accept it, replace the golden file by it; a golden file that is missing is a failure too.
 */
export const expectGolden = (svg: string, file: string): void => {
  const changed = file.replace(/\.svg$/, '-changed.svg');
  const now = rounded(svg);
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (golden === now) return rmSync(changed, { force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(changed, now);
  expect.fail(`${path.basename(file)} ${golden === null ? 'does not exist' : 'differs'}; look at ${path.relative(process.cwd(), changed)}, and rename it if that is what you want`);
};

const rounded = (svg: string): string => svg.replace(/-?\d+\.\d{4,}/g, (number) => String(Number(Number(number).toFixed(3))));
