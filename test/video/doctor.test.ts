import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { checkMachine } from '../../renderers/video/doctor-checks.js';
import { realHost } from '../../src/host.js';
import { hostWith, profilesIn, temporaryFolder } from '../browser/machine.js';
import { fixture } from './machine.js';

describe('checkMachine', () => {
  test('finds this machine fit for a film, and leaves nothing behind', async () => {
    const [folder, tmpdir] = [await temporaryFolder(), await temporaryFolder()];
    const findings = await checkMachine({ ...realHost(), tmpdir }, { folder });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.map(({ name }) => name).filter((name) => name !== '/dev/shm')).toEqual(['browser', 'browser starts', 'fonts', 'folder', 'ffmpeg', 'ffprobe']);
    expect(findings.find(({ name }) => name === 'browser starts')?.detail).toMatch(/^drew a picture by canvas, sandbox (on|off: .+)$/);
    expect(findings.find(({ name }) => name === 'fonts')?.detail).toBe('Pretendard 400 500 600 700 800');
    expect([await readdir(folder), await profilesIn(tmpdir)]).toEqual([[], []]);
  });

  test('tells everything that is missing at once, each with its fix', async () => {
    const host = hostWith({ FAULTREEL_FFMPEG: fixture('fake-ffmpeg-without-h264') }, { platform: 'darwin' });
    const findings = await checkMachine(host, { folder: '/proc/no-such-folder' });
    expect(findings.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['browser', 'folder', 'ffmpeg']);
    expect(findings.find(({ name }) => name === 'browser')?.fix).toContain('apt-get install chromium-headless-shell');
    expect(findings.find(({ name }) => name === 'ffmpeg')?.detail).toContain('has no libx264');
  });
});
