import { runProgram } from '@switchboard/testing';
import { countViolations } from './oracle/violation.ts';
import { USAGE, parseOptions } from './parse-options.ts';
import { formatReport } from './report.ts';
import { runChaos } from './run-chaos.ts';

const EXIT = { success: 0, violations: 1, noDuplicateFound: 2 };

await runProgram({
  usage: USAGE,
  parse: parseOptions,
  async run(options, cleanUps) {
    const onProgress = (what: string) => process.stderr.write(`${what}\n`);
    const { report } = await runChaos({ ...options, cleanUps, onProgress });
    process.stdout.write(`${formatReport(report)}\n`);
    if (options.negativeControl === true && countViolations(report).duplicated === 0) {
      process.stdout.write(
        'The negative control found no duplicate, so the oracle does not work.\n',
      );
      return EXIT.noDuplicateFound;
    }
    return report.violations.length === 0 ? EXIT.success : EXIT.violations;
  },
});
