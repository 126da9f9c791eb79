// What the bench of the engine measures, each in a process of its own.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { models, mm4 } from './models.mjs';

const here = import.meta.dirname;
/** Requests that each of the others simulates, for some seconds each. */
const simjsRequests = 1_200_000;
const simpyRequests = 300_000;

const group = { mm4: 'queue', 'users-1000': 'users', 'users-10000': 'users', 'jobs-4': 'sharing', 'jobs-500': 'sharing', 'sixty-every-second': 'recording', 'sixty-one-tick': 'recording' };

/** In turn: name, what it belongs to, and a function that measures it once. A `scale` below 1 is for trying the bench itself. */
export const makeSubjects = ({ dist, python, scale }) => {
  const own = (name, model, share = 1) => ({
    name, group: group[model],
    run: () => lastLine(process.execPath, [path.join(here, 'realistic.mjs'), '--dist', dist, '--model', model, '--seconds', String(Math.round(models[model].durationS * share * scale))]),
  });
  const peer = (name, program, file, requests) => ({
    name, group: 'queue',
    run: () => lastLine(program, [path.join(here, 'peers', file), ...[Math.round(requests * scale), mm4.servers, mm4.arrivalsPerS, mm4.servedPerS].map(String)]),
  });
  return [
    own('mm4', 'mm4'),
    peer('simjs', process.execPath, 'simjs.mjs', simjsRequests),
    peer('simpy3', python, 'simpy3.py', simpyRequests),
    peer('simpy2', python, 'simpy2.py', simpyRequests),
    own('users-1000', 'users-1000'),
    own('users-10000', 'users-10000'),
    // The same for less time: what lies between the two is the steady state alone.
    own('users-1000-short', 'users-1000', 0.25),
    own('jobs-4', 'jobs-4'),
    own('jobs-500', 'jobs-500'),
    own('sixty-every-second', 'sixty-every-second'),
    own('sixty-one-tick', 'sixty-one-tick'),
  ];
};

/** What a program says in its last line, as JSON; `absent` when there is no such program. */
const lastLine = (program, args) => {
  const { error, status, signal, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error?.code === 'ENOENT') return { absent: 'not installed' };
  if (error) throw error;
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${signal ?? status}\n${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1));
};

/** Six seeds of a scenario, by `bench/seeds/threads.mjs`, whose last lines are read: runs long enough that what each thread has to compile first is little of it. */
export const measureThreads = ({ dist, rounds }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(here, '../seeds/threads.mjs'), '--dist', dist, '--rounds', String(rounds), '--scenario', path.join(here, '../../scenarios/order-api-spike.yaml'), '--seeds', '6'], { encoding: 'utf8' });
  const [, speedUps] = /^ {2}speed-up .*\((.*)\)$/m.exec(stdout) ?? [];
  const [, bytes] = /^ {2}bytes +(.*)$/m.exec(stdout) ?? [];
  const [, busy] = /^ {2}busy +([\d.]+)/m.exec(stdout) ?? [];
  if (!speedUps || !bytes) throw new Error(`bench/seeds/threads.mjs ended with ${status} and said nothing that can be read:\n${stdout}${stderr}`);
  return { speedUps: speedUps.split(', ').map(Number), bytes, busy: Number(busy) };
};
