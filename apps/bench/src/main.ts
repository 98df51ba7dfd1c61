import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type CleanUps, createClosers, runProgram } from '@switchboard/testing';
import { percentile } from '@switchboard/testing/percentile';
import { openBenchEnvironment } from './environment/open-environment.ts';
import { type BenchOptions, USAGE, parseOptions } from './options.ts';
import { type Figure, type Report, describeMachine, formatFigure, formatReport } from './report.ts';
import type { RunOptions, Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';

async function run(options: BenchOptions, cleanUps: CleanUps): Promise<number> {
  if (options.list) {
    for (const { name, summary } of SCENARIOS) print(`${name.padEnd(10)} ${summary}`);
    return 0;
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
  return 0;
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

await runProgram({
  usage: USAGE,
  parse: (args) =>
    parseOptions(
      args,
      SCENARIOS.map(({ name }) => name),
    ),
  run,
});
