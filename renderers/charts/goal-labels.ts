import { condition } from '../look/numbers.js';
import type { PictureObjective } from '../../src/study/types.js';

/** The name of a bound in a chart. */
export interface GoalLabel {
  readonly text: string;
  readonly level: number;
}
export interface GoalLabels {
  readonly shown: readonly GoalLabel[];
  /** How many objectives are not named. */
  readonly leftOut: number;
}

/** As many as find a place one above the other beside a plot. */
const most = 9;

/** Names of bounds, least first: each once, however many phases have it. Where there are too many, those that are spread evenly from the least to the highest. */
export const goalLabels = (goals: readonly PictureObjective[]): GoalLabels => {
  const levels = new Map(goals.map((goal) => [textOf(goal), goal.high!]));
  const all = [...levels].map(([text, level]) => ({ text, level })).sort((a, b) => a.level - b.level);
  const shown = all.length <= most ? all : Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]);
  const named = new Set(shown.map(({ text }) => text));
  return { shown, leftOut: goals.filter((goal) => !named.has(textOf(goal))).length };
};

const textOf = (goal: PictureObjective): string => `${goal.metric} ${condition(goal.condition)}`;
