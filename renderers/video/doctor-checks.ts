import { checkBrowserSide, finding, type Finding } from '../browser/doctor-checks.js';
import type { Host } from '../../src/host.js';
import { findProgram } from './find-encoder.js';

/** Everything that a film needs of the machine, looked at one by one. Never throws; writes nothing that stays but the unpacked browser. */
export const checkMachine = async (host: Host, { folder = host.cwd }: { readonly folder?: string } = {}): Promise<readonly Finding[]> => [
  ...(await checkBrowserSide(host, { folder })),
  await finding('ffmpeg', () => described(host, 'ffmpeg', ', with libx264')),
  await finding('ffprobe', () => described(host, 'ffprobe', '')),
];

const described = async (host: Host, name: 'ffmpeg' | 'ffprobe', more: string): Promise<string> => {
  const { kind, path, version } = await findProgram(host, name);
  return `${version} (${kind}) ${path}${more}`;
};

export type { Finding };
