import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type CleanUps, cleanUpOnSignal, createClosers } from '@switchboard/testing';
import { percentile } from '@switchboard/testing/percentile';
import { openBenchEnvironment } from './environment/open-environment.ts';
import { OptionsError, USAGE, parseOptions } from './options.ts';
import { type Figure, type Report, describeMachine, formatFigure, formatReport } from './report.ts';
import type { RunOptions, Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';

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

  const [at, machine] = [new Date().toISOString(), describeMachine()];
  const results: Report['results'][number][] = [];
  for (const scenario of SCENARIOS.filter(({ name }) => options.scenarios.includes(name))) {
    const figures = await measure(scenario, { ...options, cleanUps });
    results.push({ scenario: scenario.name, figures });
  }
  const report: Report = { at, short, machine, results };
  print(formatReport(report, earlier));
  if (jsonFile !== null) await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
}

/** Shows each figure immediately, because a run may be interrupted. */
async function measure(scenario: Scenario, options: RunOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  const environments = createClosers();
  const progress = (what: string) => process.stderr.write(`${scenario.name}: ${what}\n`);
  const report = (name: string, unit: Figure['unit'], value: number): void => {
    figures.push({ name, unit, value });
    progress(`${name}: ${formatFigure({ value, unit })}`);
  };
  try {
    await scenario.run({
      ...options,
      open(wanted) {
        progress('starting PostgreSQL and Redis');
        return environments.open(() => openBenchEnvironment(options, wanted));
      },
      progress,
      report,
      latencies(name, values, shares = [0.5, 0.99]) {
        for (const share of shares) {
          const which = share === 1 ? 'longest' : `p${share * 100}`;
          report(`${name}, ${which}`, 'ms', percentile(values, share));
        }
      },
    });
  } finally {
    await environments.close();
  }
  return figures;
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
