// node bench/engine/peers/simjs.mjs REQUESTS SERVERS ARRIVALS/S SERVED/S
// M/M/c as the documentation of SIM.JS writes a queue: a source that uses a facility; the facility's own statistics tell how long a request stayed.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// The package is a bundle for pages: it exports nothing and leaves its names in the window.
globalThis.window = {};
try {
  require('simjs');
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  console.log(JSON.stringify({ absent: 'not installed' }));
  process.exit(0);
}
const { Sim } = globalThis.window;
const [requests, servers, arrivalsPerS, servedPerS] = process.argv.slice(2).map(Number);
const seed = 1;

const before = process.cpuUsage();
const sim = new Sim.Sim();
const random = new Sim.Random(seed);
const web = new Sim.Facility('web', Sim.Facility.FCFS, servers);
let done = 0;

class Users extends Sim.Entity {
  start() {
    this.arrive();
  }

  arrive() {
    this.useFacility(web, random.exponential(servedPerS)).done(() => {
      done++;
    });
    this.setTimer(random.exponential(arrivalsPerS)).done(this.arrive);
  }
}
sim.addEntity(Users);
sim.simulate(requests / arrivalsPerS);
const cpuS = process.cpuUsage(before).user / 1e6;
console.log(JSON.stringify({ name: `simjs ${require('simjs/package.json').version}`, requests: done, cpuS, meanMs: web.systemStats().durationSeries.average() * 1000 }));
