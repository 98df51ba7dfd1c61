import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RULE_FILES, adaptConfiguration, shortenRules } from './shorten.ts';

interface Rules {
  groups: { rules: { alert: string; expr: string; for?: string }[] }[];
}

const OPS = join(import.meta.dirname, '../../../../ops/prometheus');
const read = (name: string) => readFileSync(join(OPS, name), 'utf8');

test.each(RULE_FILES)(
  'shortenRules makes every window and every `for:` of %s thirty times shorter and changes nothing else',
  (name) => {
    const before = read(name);
    const after = shortenRules(before);
    const seconds = (text: string) =>
      [...text.matchAll(/(?:\[|:|for: )(\d+)([smhd])\b/g)].map(
        ([, number, unit]) =>
          Number(number) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'],
      );
    expect(seconds(before).length).toBeGreaterThan(20);
    expect(seconds(after)).toEqual(seconds(before).map((time) => Math.ceil(time / 30)));

    const withoutTimes = (text: string) =>
      (parse(text) as Rules).groups.flatMap(({ rules }) =>
        rules.map(({ for: _for, ...rule }) => JSON.stringify(rule).replaceAll(/\[[\w:]+\]/g, '[]')),
      );
    expect(withoutTimes(after)).toEqual(withoutTimes(before));
  },
);

test('adaptConfiguration keeps only the jobs and rules of the service, with the given addresses', () => {
  const targets = { 'switchboard-api': ['a:1', 'a:2'], 'switchboard-worker': ['w:3'] };
  expect(parse(adaptConfiguration(read('prometheus.yml'), targets))).toEqual({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml', 'service-levels.yml'],
    scrape_configs: Object.entries(targets).map(([job_name, addresses]) => ({
      job_name,
      static_configs: [{ targets: addresses }],
    })),
  });
  expect(() => adaptConfiguration(read('prometheus.yml'), { 'some-job': [] })).toThrow('some-job');
});
