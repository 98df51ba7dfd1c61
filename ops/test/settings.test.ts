import { expect, test } from 'vitest';
import { parseConfig } from '../../apps/simulator/src/config.ts';
import { SETTINGS, SETTING_AREAS, listSettings } from '../../packages/runtime/src/index.ts';
import { renderSettingsPage } from '../../scripts/render-settings-page.mjs';
import { readRootFile } from './settings-in-code.ts';

test('docs/settings.md equals the output of npm run settings:page', () => {
  expect(readRootFile('docs/settings.md')).toBe(renderSettingsPage(SETTING_AREAS));
});

test('the simulator, which shares no code with the service, reads exactly its declared settings', () => {
  const source = readRootFile('apps/simulator/src/config.ts');
  const read = [...source.matchAll(/read\(env, '(\w+)'\)/g)].map(([, name = '']) => name);
  expect(read.toSorted()).toEqual(listSettings('simulator').toSorted());
  const { host, port, dataDir, logLevel } = parseConfig({});
  expect(String(port)).toBe(SETTINGS.SIMULATOR_PORT.default);
  expect(host).toBe(SETTINGS.HOST.default);
  expect(dataDir).toBe(`${SETTINGS.DATA_DIR.default}/simulator`);
  expect(SETTINGS.LOG_LEVEL.description).toContain(`The simulator defaults to \`${logLevel}\`.`);
});
