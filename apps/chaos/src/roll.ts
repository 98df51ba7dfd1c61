import { runProgram } from '@switchboard/testing';
import { ROLL_USAGE, parseRollOptions } from './roll/parse-roll-options.ts';
import { formatRollReport } from './roll/roll-report.ts';
import { runRoll } from './roll/run-roll.ts';

const MINUTE_MS = 60_000;
const EXIT = { success: 0, violations: 1 };

await runProgram({
  usage: ROLL_USAGE,
  parse: parseRollOptions,
  limitMs: ({ minutesLimit }) => minutesLimit * MINUTE_MS,
  async run(options, cleanUps) {
    const onProgress = (what: string) => process.stderr.write(`${what}\n`);
    const report = await runRoll({ ...options, cleanUps, onProgress });
    process.stdout.write(`${formatRollReport(report)}\n`);
    return report.violations.length === 0 ? EXIT.success : EXIT.violations;
  },
});
