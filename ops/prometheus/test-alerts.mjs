// node ops/prometheus/test-alerts.mjs [path of promtool]
// Gives Prometheus' own rule tester a service that is well, in which no alert may fire, and the same
// service with one fault at a time, in which exactly the alerts of that fault must fire.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [promtool = 'promtool'] = process.argv.slice(2);
const source = path.join(import.meta.dirname, 'alert-tests');

/** One file of rules with its tests, as promtool reads it. */
function describeTests({ ruleFile, healthy, faults, interval = '1m', evalTime = '35m' }) {
  const tests = [{ alerts: [], fault: {} }, ...faults].map(({ alerts, fault }) => ({
    name: alerts.join(', ') || 'no alert',
    interval,
    input_series: Object.entries({ ...healthy, ...fault }).map(([series, values]) => ({
      series,
      values,
    })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: evalTime,
        exp_samples: alerts.map((name) => ({
          labels: `{alertname="Switchboard${name}"}`,
          value: 1,
        })),
      },
    ],
  }));
  return {
    rule_files: [path.join(import.meta.dirname, ruleFile)],
    evaluation_interval: interval,
    tests,
  };
}

const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-alerts-'));
try {
  const files = [];
  for (const name of readdirSync(source).toSorted()) {
    const file = path.join(folder, name.replace('.mjs', '.test.json'));
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(describeTests(await import(path.join(source, name)))));
    files.push(file);
  }
  const { status, error } = spawnSync(promtool, ['test', 'rules', ...files], { stdio: 'inherit' });
  if (error !== undefined) console.error(`${promtool} can't be run: ${error.message}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
