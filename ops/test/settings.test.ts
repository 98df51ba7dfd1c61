import { expect, test } from 'vitest';
import { parseConfig } from '../../apps/simulator/src/config.ts';
import { settingFields } from '../../packages/runtime/src/settings.ts';
import { defaultOf, readRootFile, settingsOf } from './settings-in-code.ts';

/** The README's table: what it says of the default of each setting. */
function readDocumented(): [name: string, told: string][] {
  const section = readRootFile('README.md').split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`[A-Z].*?) \| (.*?) \| .+ \|$/gm)].flatMap(
    ([, names = '', defaults = '']) => {
      const all = names.split(', ').map((name) => name.replaceAll('`', ''));
      const told = all.length === 1 ? [defaults] : defaults.split(', ');
      return all.map((name, index): [string, string] => [name, told[index] ?? '']);
    },
  );
}

test('every setting of the code has one row in the README, and every row is one', () => {
  const names = readDocumented().map(([name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(settingFields).toSorted());
});

test('the README says what each setting is when nobody sets it', () => {
  const told = readDocumented().map(([name, text]) => [
    name,
    text.replaceAll('`', '').replace(/ \(.*\)$/, ''),
  ]);
  const inCode = readDocumented().map(([name]) => {
    const known = defaultOf(name);
    if ('value' in known) return [name, known.value];
    return [name, known.kind === 'required' ? 'required' : 'none'];
  });
  expect(told).toEqual(inCode);
});

test('no process reads a setting that the table does not have', () => {
  const names = readDocumented().map(([name]) => name);
  for (const app of ['api', 'worker', 'cli', 'standalone', 'simulator']) {
    const read = settingsOf(app).filter((name) => name !== 'LOG_LEVELS');
    expect(read.length).toBeGreaterThan(3);
    expect(names).toEqual(expect.arrayContaining(read));
  }
});

test('the simulator, which shares no code, has the defaults of the table', () => {
  const { host, port, dataDir, logLevel } = parseConfig({});
  const told = Object.fromEntries(readDocumented());
  expect(String(port)).toBe(told['SIMULATOR_PORT']);
  expect(host).toBe(told['HOST']);
  expect(dataDir).toBe(`${told['DATA_DIR']?.replaceAll('`', '')}/simulator`);
  expect(told['LOG_LEVEL']).toContain(`(simulator: ${logLevel})`);
});
