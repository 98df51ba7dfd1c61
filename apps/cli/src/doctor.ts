// npm run doctor [-- --json]: checks everything the service depends on, with the settings of the
// service, and prints remedies. Changes nothing, except for a key in Redis that expires after a second.
// Exit code: 1 if there is a problem or a wrong argument, otherwise 0, even with warnings.
import { inspectDoctorSettings } from './config.ts';
import { type Finding, formatFinding } from './doctor/finding.ts';
import { runChecks } from './doctor/run-checks.ts';
import { runCommand } from './run-command.ts';

const options = { json: { type: 'boolean', default: false } } as const;

await runCommand({ name: 'doctor', options }, async ({ json }) => {
  const findings: Finding[] = [];
  for await (const finding of runChecks(inspectDoctorSettings())) {
    findings.push(finding);
    if (!json) console.log(formatFinding(finding));
  }
  const hasProblem = findings.some(({ result }) => result === 'problem');
  if (json) console.log(JSON.stringify({ ok: !hasProblem, findings }, null, 2));
  if (hasProblem) process.exitCode = 1;
});
