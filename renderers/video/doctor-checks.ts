import { captureCount } from '../browser/capture.js';
import { checkBrowserSide, finding, type Finding, type Seen } from '../browser/doctor-checks.js';
import type { Host } from '../../src/host.js';
import { findProgram } from './find-encoder.js';

/** Everything that is needed of the machine, looked at one by one. Never throws; writes nothing that stays but the unpacked browser. */
export const checkMachine = async (host: Host, { folder = host.cwd, node }: { readonly folder?: string; /** Version of Node, `20.11.0`. */ readonly node: string }): Promise<readonly Finding[]> => [
  nodeFinding(node),
  machineFinding(host),
  ...(await checkBrowserSide(host, { folder })),
  await finding('ffmpeg', 'film', () => described(host, 'ffmpeg', ', with libx264')),
  await finding('ffprobe', 'film', () => described(host, 'ffprobe', '')),
];

const oldestNode = [20, 11] as const;

const nodeFinding = (version: string): Finding => {
  const [major, minor] = version.split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return { name: 'node', stops: 'files', level: isOld ? 'fail' : 'ok', detail: isOld ? `version ${version}, expected ${oldestNode.join('.')} or newer` : version, ...(isOld && { fix: 'Install a newer one from https://nodejs.org' }) };
};

/** What of the machine decides how fast it goes. */
const machineFinding = (host: Pick<Host, 'cores' | 'memoryBytes'>): Finding => {
  const gibibytes = host.memoryBytes / 2 ** 30;
  const browsers = captureCount(host);
  const isSmall = gibibytes < leastGibibytes;
  const detail = `${host.cores} ${host.cores === 1 ? 'core' : 'cores'}, ${gibibytes.toFixed(1)} GiB of memory: simulates in ${host.cores} ${host.cores === 1 ? 'thread' : 'threads'}, films with 1 browser by canvas, else with ${browsers} by screenshots`;
  return { name: 'machine', stops: 'film', level: isSmall ? 'warn' : 'ok', detail, ...(isSmall && { fix: `A film takes about ${leastGibibytes} GiB: give the container more, or a smaller --size` }) };
};
const leastGibibytes = 2;

const described = async (host: Host, name: 'ffmpeg' | 'ffprobe', more: string): Promise<Seen> => {
  const { kind, path, version } = await findProgram(host, name);
  return { detail: `${version} (${kind}) ${path}${more}` };
};

export type { Finding };
