import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FaultreelError, describeError } from '../../src/errors.js';
import { parseScenario } from '../../src/scenario/index.js';

const folder = new URL('../bad-scenarios/', import.meta.url);

/** The whole message, as the terminal shows it. */
const messageOf = (file: string): string => {
  try {
    parseScenario(readFileSync(new URL(file, folder), 'utf8'), { file });
  } catch (error) {
    if (error instanceof FaultreelError && error.exitCode === 3) return `\n${describeError(error)}\n`;
    throw error;
  }
  return 'accepted';
};

describe('a bad scenario is told what is wrong, where, and what to write', () => {
  test('a key that is mistyped', () => {
    expect(messageOf('typo-in-a-key.yaml')).toMatchInlineSnapshot(`
      "
      typo-in-a-key.yaml:9:5: unknown key \`slotz\` in \`services.web\`
            slotz: 40
            ^
        did you mean \`slots\`?
      "
    `);
  });

  test('a number without its unit', () => {
    expect(messageOf('missing-unit.yaml')).toMatchInlineSnapshot(`
      "
      missing-unit.yaml:16:22: expected a duration such as 250ms or \`unlimited\` for \`services.web.to.db.timeout\`, found 250
              db: { timeout: 250, pool: { max: 10, wait: 500ms } }
                             ^
        write the unit after the number: 250us, 250ms, 250s, 250m or 250h
      "
    `);
  });

  test('a unit of another kind', () => {
    expect(messageOf('wrong-unit.yaml')).toMatchInlineSnapshot(`
      "
      wrong-unit.yaml:16:49: expected a duration such as 250ms or \`unlimited\` for \`services.web.to.db.pool.wait\`, found \`8MiB\`
              db: { timeout: 2s, pool: { max: 10, wait: 8MiB } }
                                                        ^
        8MiB is an amount of memory; a duration is written 250ms (units: us, ms, s, m, h)
      "
    `);
  });

  test('a call to a service that is not there', () => {
    expect(messageOf('unknown-service.yaml')).toMatchInlineSnapshot(`
      "
      unknown-service.yaml:14:17: expected the name of a service for \`services.web.handlers.buy.1.call\`, found \`bd\`, which is not in the file
                - call: bd.insert
                        ^
        did you mean \`db\`?
      "
    `);
  });

  test('a measured number without its source', () => {
    expect(messageOf('measured-without-source.yaml')).toMatchInlineSnapshot(`
      "
      measured-without-source.yaml:13:18: expected \`from\` beside \`measured\` in \`services.web.handlers.buy.0.cpu\`, found none: a measured number names its source
                - cpu: { measured: 4ms }
                         ^
        add \`from: "APM, p50 of 12 May, 14:00"\`, or write \`assumed\` if nobody measured it
      "
    `);
  });

  test('a negative rate', () => {
    expect(messageOf('negative-rate.yaml')).toMatchInlineSnapshot(`
      "
      negative-rate.yaml:28:19: expected a rate such as 250/s for \`traffic.buyers.open.rate\`, found \`-50/s\`
            open: { rate: -50/s }
                          ^
        a rate cannot be negative
      "
    `);
  });

  test('calls that go round in a circle', () => {
    expect(messageOf('call-cycle-without-an-end.yaml')).toMatchInlineSnapshot(`
      "
      call-cycle-without-an-end.yaml:23:17: expected calls that come to an end, found a circle: web.buy → db.insert → web.buy
                - call: web.buy
                        ^
        let one of these calls happen only sometimes (\`chance: 10%\`, \`choose\`, \`orElse\`, a \`cache\` miss), or end it in another handler
      "
    `);
  });

  test('a phase that ends before it begins', () => {
    expect(messageOf('end-before-start.yaml')).toMatchInlineSnapshot(`
      "
      end-before-start.yaml:31:9: expected the phase \`calm\` to end after it begins, found [5m, 1m]
          calm: [5m, 1m]
                ^
        write [1m, 5m]
      "
    `);
  });

  test('a key that stands twice', () => {
    expect(messageOf('duplicate-key.yaml')).toMatchInlineSnapshot(`
      "
      duplicate-key.yaml:20:5: the key \`slots\` stands here twice in one map; it was first written in line 19
            slots: 30
            ^
        keep one of the two
      "
    `);
  });

  test('indentation with tabs', () => {
    expect(messageOf('tab-indentation.yaml')).toMatchInlineSnapshot(`
      "
      tab-indentation.yaml:9:1: expected spaces at the start of the line, found a tab
        		slots: 40
        ^
        YAML is indented with spaces only: two for each level
      "
    `);
  });

  test('an empty file', () => {
    expect(messageOf('empty-file.yaml')).toMatchInlineSnapshot(`
      "
      empty-file.yaml:1:1: expected a scenario, found an empty file
        a scenario begins with the line \`faultreel: 1\`; docs/language.md has a small one to start from
      "
    `);
  });

  test('a version of the language that is not known', () => {
    expect(messageOf('wrong-language-version.yaml')).toMatchInlineSnapshot(`
      "
      wrong-language-version.yaml:1:12: expected language version 1, found 2
        faultreel: 2
                   ^
        this tool reads version 1: write \`faultreel: 1\`, or use the release of faultreel that the file was made for
      "
    `);
  });

  test('every file of the folder is one of the above', () => {
    expect(readdirSync(folder).filter((file) => file.endsWith('.yaml'))).toHaveLength(12);
  });
});
