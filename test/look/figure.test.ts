import { describe, expect, it } from 'vitest';
import { figure, isGuess, markName, marks } from '../../renderers/look/figure.js';

describe('figure', () => {
  it('puts ≈ before guesses and before nothing else', () => {
    expect(marks.filter((mark) => figure('5', mark).text === '≈5')).toEqual(['assumed', 'default', 'estimated']);
    expect(marks.filter(isGuess)).toEqual(['assumed', 'default', 'estimated']);
  });

  it('never calls the unknown approximate', () => {
    expect(figure('unknown', 'estimated').text).toBe('unknown');
    expect(figure('알 수 없음', 'estimated').text).toBe('알 수 없음');
  });

  it('keeps the words of inputs apart from those of outputs', () => {
    expect(markName('counted', 'en')).toBe('Counted in the simulation');
    for (const lang of ['en', 'ko'] as const) expect(new Set(marks.map((mark) => markName(mark, lang))).size).toBe(marks.length);
  });
});
