import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { OptionsError, USAGE, parseOptions } from './parse-options.ts';
import { type Report, type ScenarioResult, describeMachine, formatReport } from './report.ts';
import { SCENARIOS } from './scenarios.ts';
import { type CleanUps, cleanUpOnSignal } from '@switchboard/testing';

async function main(cleanUps: CleanUps): Promise<void> {
  const names = SCENARIOS.map((scenario) => scenario.name);
  const options = parseOptions(process.argv.slice(2), names);
  if (options.list) {
    for (const { name, summary } of SCENARIOS) print(`${name.padEnd(10)} ${summary}`);
    return;
  }
  const { compareFile, jsonFile, profileFolder, short } = options;
  const earlier =
    compareFile === null ? null : (JSON.parse(await readFile(compareFile, 'utf8')) as Report);
  if (profileFolder !== null) await mkdir(profileFolder, { recursive: true });

  const at = new Date().toISOString();
  const machine = describeMachine();
  const results: ScenarioResult[] = [];
  for (const scenario of SCENARIOS.filter(({ name }) => options.scenarios.includes(name))) {
    const onProgress = (what: string) => process.stderr.write(`${scenario.name}: ${what}\n`);
    const figures = await scenario.run({ ...options, cleanUps, onProgress });
    results.push({ scenario: scenario.name, figures });
  }
  const report: Report = { at, short, machine, results };
  print(formatReport(report, earlier));
  if (jsonFile !== null) await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await cleanUpOnSignal(main);
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}\n`);
  process.exitCode = 64;
}
