import { OptionsError } from './parse-options.ts';
import { ROLL_USAGE, parseRollOptions } from './roll/parse-roll-options.ts';
import { formatRollReport } from './roll/roll-report.ts';
import { runRoll } from './roll/run-roll.ts';

/** What the process ends with. */
const EXIT = { allIsWell: 0, violations: 1, wrongOptions: 64 };

async function main(): Promise<number> {
  const options = parseRollOptions(process.argv.slice(2));
  const report = await runRoll({
    ...options,
    onProgress: (what) => process.stderr.write(`${what}\n`),
  });
  process.stdout.write(`${formatRollReport(report)}\n`);
  return report.violations.length === 0 ? EXIT.allIsWell : EXIT.violations;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n\n${ROLL_USAGE}\n`);
  process.exitCode = EXIT.wrongOptions;
}
