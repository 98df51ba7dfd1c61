import { expect, test } from 'vitest';
import { createProviderRegistry } from '../../packages/providers/src/index.ts';
import { SETTINGS } from '../../packages/runtime/src/index.ts';
import { readRootFile } from './settings-in-code.ts';

test('the page of each provider without a lookup says when an unknown outcome becomes failed, with the defaults of the settings', async ({
  onTestFinished,
}) => {
  const registry = await createProviderRegistry({ apiUrls: {}, callTimeoutMs: 1_000 });
  onTestFinished(() => registry.close());
  const lookUps = (SETTINGS.UNKNOWN_LOOKUPS_MS.default ?? '').split(',').map(Number);
  const holdMs = Math.max(...lookUps);
  const minutes = (holdMs + Number(SETTINGS.UNKNOWN_RECEIPT_MS.default)) / 60_000;
  const sentence = `A message with an unknown outcome waits ${minutes} minutes for a late status`;
  const types = registry.adapters.filter(({ lookUp }) => lookUp === null).map(({ type }) => type);
  expect(types).toContain('smpp');
  for (const page of [...types, 'README']) {
    expect(readRootFile(`docs/providers/${page}.md`), page).toContain(sentence);
  }
});
