import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { checkMachine } from '../../renderers/video/doctor-checks.js';
import { realHost } from '../../src/host.js';
import { hostWith, profilesIn, temporaryFolder } from '../browser/machine.js';
import { fixture } from './machine.js';

describe('checkMachine', () => {
  test('finds this machine fit for a film, and leaves nothing behind', async () => {
    const [folder, tmpdir] = [await temporaryFolder(), await temporaryFolder()];
    const findings = await checkMachine({ ...realHost(), tmpdir }, { folder, node: '20.11.0' });
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([]);
    expect(findings.map(({ name }) => name).filter((name) => name !== '/dev/shm')).toEqual(['node', 'machine', 'browser', 'browser starts', 'sandbox', 'fonts', 'temporary folder', 'cache folder', 'results', 'ffmpeg', 'ffprobe']);
    expect(findings.find(({ name }) => name === 'browser starts')?.detail).toBe('drew a picture by canvas');
    expect(findings.find(({ name }) => name === 'sandbox')?.detail).toMatch(/^(on|off\. The browser runs with --no-sandbox.+)$/);
    expect(findings.find(({ name }) => name === 'fonts')?.detail).toBe('Pretendard 400 500 600 700 800, bundled');
    expect([await readdir(folder), await profilesIn(tmpdir)]).toEqual([[], []]);
  });

  test('tells everything that is missing at once, each with its fix', async () => {
    const host = hostWith({ FAULTREEL_FFMPEG: fixture('fake-ffmpeg-without-h264') }, { platform: 'darwin' });
    const findings = await checkMachine(host, { folder: '/proc/no-such-folder', node: '20.10.0' });
    expect(findings.filter(({ level }) => level === 'fail').map(({ name, stops }) => `${name}: ${stops}`)).toEqual(['node: files', 'browser: film', 'results: files', 'ffmpeg: film']);
    expect(findings.find(({ name }) => name === 'browser')?.fix).toContain('apt-get install chromium-headless-shell');
    expect(findings.find(({ name }) => name === 'ffmpeg')?.detail).toContain('has no libx264');
  });
});
