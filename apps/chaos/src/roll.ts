import { type CleanUps, cleanUpOnSignal } from '@switchboard/testing';
import { OptionsError } from './parse-options.ts';
import { ROLL_USAGE, parseRollOptions } from './roll/parse-roll-options.ts';
import { formatRollReport } from './roll/roll-report.ts';
import { type RollOptions, runRoll } from './roll/run-roll.ts';

const MINUTE_MS = 60_000;
/** Exit codes. */
const EXIT = { success: 0, violations: 1, wrongOptions: 64 };

async function roll(options: RollOptions, cleanUps: CleanUps): Promise<void> {
  const report = await runRoll({
    ...options,
    cleanUps,
    onProgress: (what) => process.stderr.write(`${what}\n`),
  });
  process.stdout.write(`${formatRollReport(report)}\n`);
  process.exitCode = report.violations.length === 0 ? EXIT.success : EXIT.violations;
}

try {
  const { minutesLimit, ...options } = parseRollOptions(process.argv.slice(2));
  await cleanUpOnSignal((cleanUps) => roll(options, cleanUps), minutesLimit * MINUTE_MS);
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n\n${ROLL_USAGE}\n`);
  process.exitCode = EXIT.wrongOptions;
}
