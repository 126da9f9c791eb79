import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { particle, withParticle } from '../../src/text/particles.js';

test('a particle follows the sound that a name or a number is read with', () => {
  for (const [closed, open] of [['#1', '#2'], ['#3', '#4'], ['#10', '#5'], ['mysql', 'alb'], ['app', 'api'], ['bot', 'gateway'], ['checkout', 'cart'], ['webhook', 'network'], ['lock', 'disk'], ['web', 'db'], ['traffic', 'redis'], ['login', 'box'], ['주문', '주소']] as const)
    expect([particle(closed, '이/가'), particle(open, '이/가'), particle(closed, '은/는'), particle(open, '은/는'), particle(closed, '을/를'), particle(open, '을/를')], `${closed}, ${open}`).toEqual(['이', '가', '은', '는', '을', '를']);
});

test('after ㄹ, and what is read with it, 로 stands without 으', () => {
  expect(['#1', 'mysql', '서울', '#3', 'redis', '주문'].map((word) => withParticle(word, '으로/로'))).toEqual(['#1로', 'mysql로', '서울로', '#3으로', 'redis로', '주문으로']);
});

test('one thing has one word in Korean: 거부 and 파드, in every catalogue, page and scenario', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const files = ['src/text', 'templates', 'scenarios'].flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:ts|hbs|yaml)$/.test(file)).map((file) => path.join(root, folder, file)));
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) expect(readFileSync(file, 'utf8').match(/거절|Pod ?[가-힣]|[가-힣] ?Pod/), path.relative(root, file)).toBeNull();
});
