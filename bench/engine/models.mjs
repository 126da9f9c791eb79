// What the bench of the engine simulates, as ordinary scenario files.

/** Four servers at 80 %, times of service and between arrivals exponential: what every simulator can say. */
export const mm4 = { servers: 4, arrivalsPerS: 3200, servedPerS: 1000 };

/** Mean time in an M/M/c system, s (Erlang C). */
export const meanStayS = ({ servers, arrivalsPerS, servedPerS }) => {
  const load = arrivalsPerS / servedPerS;
  let blocked = 1;
  for (let k = 1; k <= servers; k++) blocked = (load * blocked) / (k + load * blocked);
  const waits = blocked / (1 - (load / servers) * (1 - blocked));
  return 1 / servedPerS + waits / (servers * servedPerS - arrivalsPerS);
};

const queue = ({ servers, arrivalsPerS, servedPerS }, durationS) => `
faultreel: 1
title: M/M/${servers}
duration: ${durationS}s
services:
  web: { slots: ${servers}, handlers: { get: [{ wait: { assumed: ${1000 / servedPerS}ms, cv: 1, why: a model } }] } }
traffic:
  users: { to: web, send: get, open: { rate: ${arrivalsPerS}/s, arrivals: poisson } }
`;

/** A balancer, instances with two cores, a pool of ten connections each, a store; every link with a timeout. The rate is about 4,850/s, however many users. */
const realistic = ({ users, instances = 6, tick = '1s' }, durationS) => `
faultreel: 1
title: users, a balancer, instances, a pool, a store
duration: ${durationS}s
tick: ${tick}
services:
  lb:
    kind: balancer
    to: { app: { policy: least-outstanding, timeout: 2s } }
  app:
    instances: ${instances}
    cpus: 2
    slots: 200
    to: { store: { pool: { max: 10 }, timeout: 2s } }
    handlers:
      get: [{ cpu: 2ms }, { call: store.read }]
  store:
    kind: store
    handlers:
      read: [{ wait: 3ms }]
traffic:
  users: { to: { lb: { timeout: 2s } }, send: get, closed: { users: ${users}, think: ${thinkMs(users)}ms } }
`;
/** With the 6 ms of an answer, each user asks every 206 ms where there are a thousand. */
const thinkMs = (users) => (users * 206) / 1000 - 6;

/** Jobs that share one core, all the time as many: each that is done is followed by another. */
const sharing = ({ jobs }, durationS) => `
faultreel: 1
title: ${jobs} jobs on one core
duration: ${durationS}s
services:
  box: { cpus: 1, slots: 1000, handlers: { job: [{ cpu: { assumed: 100us, cv: 1, why: a model } }] } }
traffic:
  users: { to: box, send: job, closed: { users: ${jobs}, think: 0s } }
`;

/** By name: the text of the scenario, for a duration in s, and the duration that the bench takes. */
export const models = {
  mm4: { durationS: 1600, text: (durationS) => queue(mm4, durationS) },
  'users-1000': { durationS: 600, text: (durationS) => realistic({ users: 1000 }, durationS) },
  'users-10000': { durationS: 600, text: (durationS) => realistic({ users: 10_000 }, durationS) },
  'jobs-4': { durationS: 100, text: (durationS) => sharing({ jobs: 4 }, durationS) },
  'jobs-500': { durationS: 100, text: (durationS) => sharing({ jobs: 500 }, durationS) },
  'sixty-every-second': { durationS: 200, text: (durationS) => realistic({ users: 1000, instances: 60 }, durationS) },
  'sixty-one-tick': { durationS: 200, text: (durationS) => realistic({ users: 1000, instances: 60, tick: `${durationS}s` }, durationS) },
};
