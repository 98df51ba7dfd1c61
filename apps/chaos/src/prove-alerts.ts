import { cleanUpOnSignal } from '@switchboard/testing';
import { formatProof, listProblems } from './alerts/format-proof.ts';
import { proveAlerts } from './alerts/prove-alerts.ts';

// npm run alerts:prove [-- part of an alert's name]
const [only = null] = process.argv.slice(2);
const onProgress = (what: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
};
await cleanUpOnSignal(async (cleanUps) => {
  const proof = await proveAlerts({ only, cleanUps, onProgress });
  process.stdout.write(`${formatProof(proof)}\n`);
  process.exitCode = listProblems(proof).length === 0 ? 0 : 1;
});
