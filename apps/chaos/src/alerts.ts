import { parseArgs } from 'node:util';
import { type CleanUps, cleanUpOnSignal } from '@switchboard/testing';
import { formatProof, listProblems } from './alerts/format-proof.ts';
import { proveAlerts } from './alerts/prove-alerts.ts';
import { OptionsError, readArguments } from './parse-options.ts';

const USAGE = `npm run alerts:prove -- --only SwitchboardNoApi,SwitchboardNoWorker
  --only NAME,...   causes only the faults of these alerts (default: all)`;
/** Exit codes. */
const EXIT = { success: 0, problems: 1, wrongOptions: 64 };

function parseOnly(args: string[]): string[] | null {
  const { values } = readArguments(() =>
    parseArgs({ args, options: { only: { type: 'string' } } }),
  );
  return values.only?.split(',') ?? null;
}

async function prove(only: string[] | null, cleanUps: CleanUps): Promise<void> {
  const onProgress = (what: string): void => {
    process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
  };
  const proof = await proveAlerts({ only, cleanUps, onProgress });
  process.stdout.write(`${formatProof(proof)}\n`);
  process.exitCode = listProblems(proof).length === 0 ? EXIT.success : EXIT.problems;
}

try {
  const only = parseOnly(process.argv.slice(2));
  await cleanUpOnSignal((cleanUps) => prove(only, cleanUps));
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}\n`);
  process.exitCode = EXIT.wrongOptions;
}
