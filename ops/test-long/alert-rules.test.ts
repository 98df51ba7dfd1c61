import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findPromtool } from '../../packages/testing/src/index.ts';
import { ROOT } from '../test/settings-in-code.ts';

test('alerts fire only for their fault over their real windows, and none fires at low traffic', async () => {
  const script = join(ROOT, 'ops/prometheus/test-alerts.mjs');
  // Throws with promtool's output if a rule test fails.
  const { stdout } = await promisify(execFile)(process.execPath, [script, await findPromtool()]);
  expect(stdout).toContain('SUCCESS');
});
