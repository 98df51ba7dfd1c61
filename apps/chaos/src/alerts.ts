import { readArguments, runProgram } from '@switchboard/testing';
import { formatProof, listProblems } from './alerts/format-proof.ts';
import { proveAlerts } from './alerts/prove-alerts.ts';

const EXIT = { success: 0, problems: 1 };

await runProgram({
  usage: `npm run alerts:prove -- --only SwitchboardNoApi,SwitchboardNoWorker
  --only NAME,...   causes only the faults of these alerts (default: all)`,
  parse(args) {
    const { values } = readArguments({ args, options: { only: { type: 'string' } } });
    return values.only?.split(',') ?? null;
  },
  async run(only, cleanUps) {
    const onProgress = (what: string): void => {
      process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
    };
    const proof = await proveAlerts({ only, cleanUps, onProgress });
    process.stdout.write(`${formatProof(proof)}\n`);
    return listProblems(proof).length === 0 ? EXIT.success : EXIT.problems;
  },
});
