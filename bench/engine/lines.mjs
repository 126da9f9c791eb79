// Lines of the table: what each figure is made of, and what is wanted of it.
import { meanStayS, mm4 } from './models.mjs';

/**
 * How far a mean stay of n requests may be from Erlang C, as a share: three standard errors. Stays deviate by 0.65 of their mean here, and what one request
 * meets another still meets 140 requests later (twice 1 / (c mu (1 - sqrt(rho))^2) = 22 ms).
 */
const allowedOff = (n) => 3 * 0.65 * Math.sqrt(140 / n);

const perRequest = ({ cpuS, requests }) => cpuS / requests;
const perS = ({ cpuS, requests }) => requests / cpuS;

/** Lines of the table, of the results by round and name. A line: its name, a value for each round, and maybe floor and goal; `most` says that less is better. */
export const linesOf = (rounds, threads) => {
  const has = (name) => rounds.every((round) => round[name]);
  const each = (value) => rounds.map(value);
  return [
    ...(has('mm4') ? queueLines(each, rounds) : []),
    ...(has('users-1000') ? usersLines(each) : []),
    ...(has('jobs-4') ? [{ title: 'Processor sharing: closed jobs without thinking on one core' }, { name: '500 jobs present / 4, cost of a completion', values: each((round) => perRequest(round['jobs-500']) / perRequest(round['jobs-4'])), digits: 2, unit: '×', floor: 2, goal: 1.5, most: true }] : []),
    ...(has('sixty-one-tick') ? [{ title: 'Recording: 60 instances, a tick each second, against one tick for all' }, { name: 'extra cost', values: each((round) => (round['sixty-every-second'].cpuS / round['sixty-one-tick'].cpuS - 1) * 100), digits: 1, unit: '%', floor: 10, goal: 5, most: true }] : []),
    ...(threads ? threadLines(threads) : []),
  ];
};

const queueLines = (each, rounds) => {
  const peer = (name, floor, goal) => peerLine(each, rounds, name, { floor, goal });
  const simpy = fasterOf(rounds, ['simpy3', 'simpy2']);
  return [
    { title: 'M/M/4 at 80 %, an ordinary scenario' },
    { name: 'requests', values: each(({ mm4: own }) => perS(own) / 1e6), digits: 2, unit: 'M/s' },
    { name: 'textbook events, an arrival and a departure a request', values: each(({ mm4: own }) => (2 * perS(own)) / 1e6), digits: 2, unit: 'M/s', floor: 4, goal: 6 },
    { name: "the engine's own events", values: each(({ mm4: { events, cpuS } }) => events / cpuS / 1e6), digits: 2, unit: 'M/s' },
    peer('simjs', 4, 8),
    peer(simpy, 25, 40),
    ...['mm4', 'simjs', simpy].flatMap((name) => stayLine(rounds, name)),
  ];
};

const peerLine = (each, rounds, name, wanted) => {
  const { absent, name: told = name } = rounds[0][name];
  return absent
    ? { name: `requests/s against ${name.replace(/^simpy\d$/, 'SimPy')}`, text: absent, ...wanted }
    : { name: `requests/s against ${told}, ${perSText(rounds, name)}`, values: each((round) => perS(round.mm4) / perS(round[name])), digits: 1, unit: '×', ...wanted };
};

const perSText = (rounds, name) => `${(medianOf(rounds.map((round) => perS(round[name]))) / 1e6).toFixed(2)} M/s`;

/** The one of several that simulates most requests a second, of those that are there. */
const fasterOf = (rounds, names) => {
  const there = names.filter((name) => !rounds[0][name].absent);
  return there.toSorted((a, b) => medianOf(rounds.map((round) => perS(round[b]))) - medianOf(rounds.map((round) => perS(round[a]))))[0] ?? names[0];
};

/** Everybody has to have simulated the same. */
const stayLine = (rounds, name) => {
  const [{ [name]: { absent, meanMs, requests, name: told = 'faultreel' } }] = rounds;
  if (absent) return [];
  const off = meanMs / (meanStayS(mm4) * 1000) - 1;
  return [{ name: `mean stay, ${told}`, text: `${meanMs.toFixed(3)} ms over ${requests.toLocaleString('en-US')}, Erlang C ${(meanStayS(mm4) * 1000).toFixed(3)} ms: ${(off * 100).toFixed(1)} % off, ${Math.abs(off) <= allowedOff(requests) ? 'as chance has it' : 'ANOTHER QUEUE'}` }];
};

const usersLines = (each) => {
  const of = (value) => each(({ 'users-1000': own }) => value(own));
  return [
    { title: 'Realistic: users, a balancer, 6 instances of 2 cores, pools of 10, a store, timeouts; 4,850 requests a simulated second' },
    { name: '1,000 users: requests', values: of((own) => perS(own) / 1e3), digits: 0, unit: 'k/s', floor: 400, goal: 600 },
    { name: "1,000 users: the engine's own events", values: of(({ events, cpuS }) => events / cpuS / 1e6), digits: 2, unit: 'M/s' },
    { name: '1,000 users: events a request', values: of(({ events, requests }) => events / requests), digits: 2, unit: '' },
    { name: '1,000 users: collecting garbage, of the CPU time', values: of(({ gcS, cpuS }) => (gcS / cpuS) * 100), digits: 1, unit: '%' },
    { name: '1,000 users: allocated a request, steady state', values: each(({ 'users-1000': long, 'users-1000-short': short }) => (long.allocatedBytes - short.allocatedBytes) / (long.requests - short.requests)), digits: 0, unit: 'bytes' },
    { name: '1,000 users: resident at most', values: of(({ mostBytes }) => mostBytes / 1e6), digits: 0, unit: 'MB' },
    { name: '10,000 users: extra cost of a request', values: each((round) => (perRequest(round['users-10000']) / perRequest(round['users-1000']) - 1) * 100), digits: 1, unit: '%', floor: 15, goal: 10, most: true },
    { name: '10,000 users: resident at most', values: each(({ 'users-10000': own }) => own.mostBytes / 1e6), digits: 0, unit: 'MB', floor: 150, goal: 120, most: true },
    { name: '10,000 users: of that before the run, the library alone', values: each(({ 'users-10000': own }) => own.idleBytes / 1e6), digits: 0, unit: 'MB' },
  ];
};

const threadLines = ({ speedUps, bytes, busy }) => [
  { title: 'Independent runs in threads, wall time (bench/seeds/threads.mjs)' },
  { name: 'all cores against one thread', values: speedUps, digits: 2, unit: '×', floor: 1.7, goal: 1.8 },
  { name: 'of their time the threads had', values: [busy * 100], digits: 0, unit: '%' },
  { name: 'bytes of the study', text: bytes },
];

export const medianOf = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
