// The table of the bench of the engine, on a terminal.
import { medianOf } from './lines.mjs';

export const print = (head, lines) => {
  console.log(head);
  for (const line of lines) console.log(line.title ? `\n${line.title}` : rowOf(line));
};

const rowOf = ({ name, text, values, digits, unit, floor, goal, most }) => {
  const found = text ?? `${medianOf(values).toFixed(digits)} ${unit}`.trimEnd();
  const wanted = floor === undefined ? '' : `${most ? 'at most' : 'at least'} ${floor}, goal ${goal}`;
  const verdict = floor === undefined || text !== undefined ? '' : verdictOf(medianOf(values), { floor, goal, most });
  const rounds = values && values.length > 1 ? `(${values.map((value) => value.toFixed(digits)).join(', ')})` : '';
  return text !== undefined && floor === undefined ? `  ${name.padEnd(58)} ${text}` : `  ${name.padEnd(58)}${found.padStart(14)}  ${wanted.padEnd(24)}${verdict.padEnd(10)}${rounds}`.trimEnd();
};

const verdictOf = (value, { floor, goal, most }) => {
  const reaches = (wanted) => (most ? value <= wanted : value >= wanted);
  if (reaches(goal)) return 'goal met';
  return reaches(floor) ? 'met' : 'NOT MET';
};
