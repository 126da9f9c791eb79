import type { Machine, Unit, Value } from './model.js';

/** Cores and memory: the EC2 user guide's tables of instance types. Price: on demand, Linux, us-east-1, one hour. */
const sizesFrom = 'EC2 instance types, cluster-autoscaler ec2_instance_types.go, 2026-01-22';
const pricesFrom = 'EC2 on-demand Linux, us-east-1, karpenter-provider-aws pricing table, 2026-07-20';

/** [type, cores, GiB, USD an hour] */
const types: readonly (readonly [string, number, number, number])[] = [
  ['c5.large', 2, 4, 0.085],
  ['c6i.large', 2, 4, 0.085],
  ['c6i.xlarge', 4, 8, 0.17],
  ['c7g.large', 2, 4, 0.0725],
  ['m5.large', 2, 8, 0.096],
  ['m5.xlarge', 4, 16, 0.192],
  ['m6i.large', 2, 8, 0.096],
  ['m7i.large', 2, 8, 0.1008],
  ['t3.small', 2, 2, 0.0208],
  ['t3.large', 2, 8, 0.0832],
  ['t4g.small', 2, 2, 0.0168],
  ['t4g.medium', 2, 4, 0.0336],
];

const stated = (path: string, value: number, unit: Unit, from: string): Value => ({ path, value, unit, basis: 'spec', setting: unit !== 'money/h', from });

/** Common machine types, as their maker states them. Burstable types (t3, t4g) are listed at full speed: CPU credits are not modelled. */
export const catalogue: ReadonlyMap<string, Machine> = new Map(
  types.map(([name, cpus, gib, usdPerHour]) => [
    name,
    {
      name,
      cpus: stated(`machines.${name}.cpus`, cpus, 'cores', sizesFrom),
      memoryBytes: stated(`machines.${name}.memory`, gib * 2 ** 30, 'B', sizesFrom),
      price: { ...stated(`machines.${name}.price`, usdPerHour, 'money/h', pricesFrom), currency: 'USD' },
    },
  ]),
);
