// node ops/prometheus/test-alerts.mjs [path of promtool] [--short]
// Tests the rules with Prometheus' own rule tester. With the metrics of a healthy service no alert may
// fire. With one fault at a time, exactly the alerts of that fault must fire. With `--short`, a file
// that exports the number `shortFaults` is tested only with that many of its faults.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const options = process.argv.slice(2);
const isShort = options.includes('--short');
const promtool = options.find((option) => option !== '--short') ?? 'promtool';
const source = path.join(import.meta.dirname, 'alert-tests');

/** Returns the test file of one rule file in the format of promtool. */
function describeTests({ ruleFile, healthy, faults, shortFaults, ...times }) {
  const { interval = '1m', evalTime = '35m' } = times;
  const tried = isShort ? faults.slice(0, shortFaults) : faults;
  const tests = [{ alerts: [], fault: {} }, ...tried].map(({ alerts, fault, described }) => ({
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
    alert_rule_test: (described ?? []).map(({ name, labels, annotations }) => ({
      eval_time: evalTime,
      alertname: `Switchboard${name}`,
      exp_alerts: [{ exp_labels: labels, exp_annotations: annotations }],
    })),
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
    // promtool reads YAML, and JSON is a subset of YAML.
    writeFileSync(file, JSON.stringify(describeTests(await import(path.join(source, name)))));
    files.push(file);
  }
  const { status, error } = spawnSync(promtool, ['test', 'rules', ...files], { stdio: 'inherit' });
  if (error !== undefined) console.error(`failed to run ${promtool}: ${error.message}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
