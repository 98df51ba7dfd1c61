import { type CleanUps, cleanUpOnSignal } from '@switchboard/testing';
import { OptionsError, USAGE, parseOptions } from './parse-options.ts';
import { countViolations } from './oracle/violation.ts';
import { formatReport } from './report.ts';
import { runChaos } from './run-chaos.ts';

/** Exit codes. */
const EXIT = { success: 0, violations: 1, noDuplicateFound: 2, wrongOptions: 64 };

async function main(cleanUps: CleanUps): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const { report } = await runChaos({
    ...options,
    cleanUps,
    onProgress: (what) => process.stderr.write(`${what}\n`),
  });
  process.stdout.write(`${formatReport(report)}\n`);
  if (options.negativeControl === true && countViolations(report).duplicated === 0) {
    process.stdout.write('The negative control found no duplicate, so the oracle does not work.\n');
    return EXIT.noDuplicateFound;
  }
  return report.violations.length === 0 ? EXIT.success : EXIT.violations;
}

try {
  await cleanUpOnSignal(async (cleanUps) => {
    process.exitCode = await main(cleanUps);
  });
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}\n`);
  process.exitCode = EXIT.wrongOptions;
}
