import { describeNode, dotted } from '../document/tree.js';
import type { Condition, Metric } from '../model.js';
import { type Parsed, type QuantityKind, parseQuantity, quantities } from '../quantities.js';
import type { Type } from './type.js';

/** Every metric of a check: the type of its number, what can have it, and what it says. */
export const metrics: Readonly<Record<Metric, { readonly kind: QuantityKind; readonly of: readonly Subject[]; readonly doc: string }>> = {
  good: { kind: 'share', of: ['traffic', 'service', 'link'], doc: 'Share of the valid requests that ended good' },
  declined: { kind: 'share', of: ['traffic', 'service', 'link'], doc: 'Share of the offered requests that ended with a valid "no"' },
  refused: { kind: 'share', of: ['traffic', 'service', 'link'], doc: 'Share of the offered requests that a limit turned away' },
  failed: { kind: 'share', of: ['traffic', 'service', 'link'], doc: 'Share of the offered requests that ended in an error' },
  dropped: { kind: 'share', of: ['traffic'], doc: 'Requests that were never offered, as a share of those that were' },
  rate: { kind: 'rate', of: ['traffic', 'service', 'link'], doc: 'Good requests per second' },
  mean: { kind: 'duration', of: ['traffic', 'link'], doc: 'Mean latency' },
  p50: { kind: 'duration', of: ['traffic', 'link'], doc: 'Median latency' },
  p90: { kind: 'duration', of: ['traffic', 'link'], doc: '90 of 100 were at most this slow' },
  p95: { kind: 'duration', of: ['traffic', 'link'], doc: '95 of 100 were at most this slow' },
  p99: { kind: 'duration', of: ['traffic', 'link'], doc: '99 of 100 were at most this slow' },
  'p99.9': { kind: 'duration', of: ['traffic', 'link'], doc: '999 of 1,000 were at most this slow' },
  max: { kind: 'duration', of: ['traffic', 'link'], doc: 'The slowest' },
  cpu: { kind: 'cores', of: ['service', 'host'], doc: 'Cores in use' },
  queue: { kind: 'count', of: ['service'], doc: 'Requests waiting for a slot' },
  slots: { kind: 'count', of: ['service'], doc: 'Slots in use' },
  memory: { kind: 'bytes', of: ['service', 'host'], doc: 'Memory in use' },
  poolWait: { kind: 'duration', of: ['link'], doc: 'Waiting for a connection' },
  lockWait: { kind: 'duration', of: ['lock'], doc: 'Waiting for the lock' },
  ooms: { kind: 'count', of: ['service'], doc: 'OOM kills' },
  ejections: { kind: 'count', of: ['link'], doc: 'Instances taken out of rotation' },
  launches: { kind: 'count', of: ['service'], doc: 'Instances started by the autoscaler' },
  cost: { kind: 'money', of: ['service'], doc: 'What its machines cost in an hour, as billed in the phase' },
};
export type Subject = 'traffic' | 'service' | 'host' | 'link' | 'lock';
export const metricNames = Object.keys(metrics) as Metric[];

const operators = ['<=', '>=', '<', '>', '='] as const;

/** `>= 99.9%`, `350/s ± 10%`, `1.75 .. 1.9`, `<= 2x` (a comparison with `vs`). */
export const conditionType = (metric: Metric): Type<Condition> => {
  const { kind } = metrics[metric];
  const { example } = quantities[kind];
  const usual = metric === 'good' || metric === 'rate' ? '>=' : '<=';
  return {
    expected: `a condition such as "${usual} ${example}" or "${example} ± 10%"`,
    read(node, at, reading) {
      const blank = this.blank(at, node, reading);
      if (node.kind !== 'scalar' || typeof node.value !== 'string') {
        const plainNumber = node.kind === 'scalar' && typeof node.value === 'number';
        reading.unexpected(node, at, this.expected, plainNumber ? `say how it compares, in quotes: "= ${node.text}" or "${usual} ${node.text}"` : undefined);
        return blank;
      }
      const written = splitCondition(node.value);
      if (!written) {
        const bare = 'value' in parseQuantity(node, [kind], false);
        reading.unexpected(node, at, this.expected, bare ? `say how it compares: "${usual} ${node.text}", "= ${node.text}" or "${node.text} ± 10%"` : 'begin with <=, >=, <, > or =; or write V ± 10%, or A .. B');
        return blank;
      }
      const numbers = written.numbers.map((number) => parseQuantity({ ...node, ...scalarOf(number) }, [kind, 'factor'], false));
      const wrong = numbers.findIndex((number) => !('value' in number));
      if (wrong >= 0) {
        const hint = (numbers[wrong] as { hint?: string }).hint;
        reading.problems.add(node.at, `expected ${quantities[kind].name} such as ${example} in the condition \`${dotted(at)}\`, found ${describeNode({ ...node, quoted: true })}`, hint);
        return blank;
      }
      const [first, second] = numbers as Parsed[];
      if (second?.kind === first.kind && second.currency !== first.currency) {
        reading.problems.add(node.at, `expected one currency in the condition \`${dotted(at)}\`, found ${first.currency} and ${second.currency}`);
        return blank;
      }
      if (second && (second.kind !== first.kind || second.value < first.value)) {
        reading.problems.add(node.at, `expected the lower bound first in the condition \`${dotted(at)}\`, found "${node.value}"`);
        return blank;
      }
      return {
        text: node.value,
        op: written.op,
        unit: quantities[first.kind as QuantityKind].unit,
        ...boundsOf(written, first.value, second?.value),
        ...(first.currency === undefined ? {} : { currency: first.currency }),
      };
    },
    blank: () => ({ text: '', op: '=', low: Number.NaN, high: Number.NaN, unit: quantities[kind].unit }),
    schema: () => ({ type: 'string', pattern: '^\\s*(<=|>=|<|>|=)|±|\\.\\.' }),
  };
};

interface Written {
  readonly op: Condition['op'];
  readonly numbers: readonly string[];
  /** Of `±`, as a share. */
  readonly tolerance?: number;
}

const splitCondition = (text: string): Written | undefined => {
  const trimmed = text.trim();
  const op = operators.find((candidate) => trimmed.startsWith(candidate));
  if (op) return { op, numbers: [trimmed.slice(op.length).trim()] };
  const around = /^(.+?)\s*±\s*(\d+(?:\.\d+)?)%$/.exec(trimmed);
  if (around) return { op: '±', numbers: [around[1]], tolerance: Number(around[2]) / 100 };
  const between = /^(.+?)\s*\.\.\s*(.+)$/.exec(trimmed);
  return between ? { op: '..', numbers: [between[1], between[2]] } : undefined;
};

/** Text inside a condition as YAML would have read it: a bare number is a number. */
const scalarOf = (text: string): { value: string | number; text: string } => ({ value: /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text, text });

const boundsOf = ({ op, tolerance = 0 }: Written, first: number, second: number | undefined): { low: number; high: number } => {
  if (op === '<=' || op === '<') return { low: -Infinity, high: first };
  if (op === '>=' || op === '>') return { low: first, high: Infinity };
  if (op === '±') return { low: first * (1 - tolerance), high: first * (1 + tolerance) };
  return { low: first, high: second ?? first };
};
