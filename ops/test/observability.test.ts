import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createApiMetrics } from '../../apps/api/src/metrics/api-metrics.ts';
import { createWorkerMetrics } from '../../apps/worker/src/worker-metrics.ts';
import { listEndpoints } from '../../packages/contracts/src/routes/all-routes.ts';
import { findPromtool } from '../../packages/testing/src/index.ts';
import { ROOT, readRootFile } from './settings-in-code.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Panel {
  title: string;
  targets?: { expr: string }[];
}
interface Series {
  labels: Set<string>;
  /** The values of labels whose values are known in advance. */
  values: Map<string, Set<string>>;
}

interface Recording {
  record: string;
  expr: string;
}

const readRules = (name: string): (Rule | Recording)[] =>
  (
    parse(readRootFile(`ops/prometheus/${name}`)) as { groups: { rules: (Rule | Recording)[] }[] }
  ).groups.flatMap((group) => group.rules);
const isAlert = (rule: Rule | Recording): rule is Rule => 'alert' in rule;

const { rule_files: ruleFiles, alerting } = parse(
  readRootFile('ops/prometheus/prometheus.yml'),
) as { rule_files: string[]; alerting: unknown };
/** Rule files on metrics of the service's own processes. */
const ownFiles = ['alerts.yml', 'service-levels.yml'];
const ownRules = readRules('alerts.yml').filter(isAlert);
const rules = ruleFiles.flatMap(readRules).filter(isAlert);
const { panels } = JSON.parse(readRootFile('ops/grafana/switchboard.json')) as { panels: Panel[] };
const expressions = [
  ...ownFiles
    .flatMap(readRules)
    .map((rule) => [isAlert(rule) ? rule.alert : rule.record, rule.expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Returns the names of all series that a process exports, as in Prometheus. */
async function readSeries(): Promise<Map<string, Series>> {
  const registries = [
    createApiMetrics({
      isReady: async () => true,
      poolWaiting: () => 0,
      sockets: () => 0,
      liveLag: () => 0,
      replicaLagMs: () => 0,
      replicaMaxLagMs: 0,
      historyReads: () => ({ replica: 0, primary: 0 }),
    }).registry,
    createWorkerMetrics({ poolWaiting: () => 0 }).registry,
  ];
  const found = new Map<string, Series>([['up', { labels: new Set(), values: new Map() }]]);
  for (const registry of registries) {
    for (const metric of await registry.getMetricsAsJSON()) {
      const { labelNames = [] } = registry.getSingleMetric(metric.name) as unknown as {
        labelNames?: string[];
      };
      const values = new Map<string, Set<string>>();
      for (const { labels } of metric.values) {
        for (const [label, value] of Object.entries(labels)) {
          values.set(label, (values.get(label) ?? new Set()).add(String(value)));
        }
      }
      const isHistogram = String(metric.type) === 'histogram';
      for (const suffix of isHistogram ? ['_bucket', '_sum', '_count'] : ['']) {
        const labels = new Set([...labelNames, ...(suffix === '_bucket' ? ['le'] : [])]);
        found.set(`${metric.name}${suffix}`, { labels, values });
      }
    }
  }
  return found;
}

/** Returns the series that an expression uses, with the conditions on their labels. */
function selectorsOf(expr: string) {
  const pattern = /\b((?:switchboard|nodejs|process)_\w+|up(?=\{))(?:\{([^}]*)\})?/g;
  return [...expr.matchAll(pattern)].map(([, name = '', text = '']) => ({
    name,
    conditions: [...text.matchAll(/(\w+)(=~|!=|!~|=)"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
    ),
  }));
}

test('every metric, label and label value in rules and dashboard is exported by a process', async () => {
  const series = await readSeries();
  const wrong: string[] = [];
  let checked = 0;
  for (const [where, expr] of expressions) {
    for (const { name, conditions } of selectorsOf(expr)) {
      checked += 1;
      const known = series.get(name);
      if (known === undefined) wrong.push(`${where}: no process exports ${name}`);
      for (const { label, operator, value } of conditions) {
        if (label === 'job' || known === undefined) continue;
        const values = known.values.get(label);
        if (!known.labels.has(label)) wrong.push(`${where}: ${name} has no label ${label}`);
        else if (operator === '=' && values !== undefined && !values.has(value)) {
          wrong.push(`${where}: ${name} has no ${label} of ${value}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(60);
});

test('every route in rules and dashboard is served', () => {
  const served = listEndpoints().map(({ key }) =>
    (key.split(' ')[1] ?? '').replaceAll(/\{(\w+)\}/g, ':$1'),
  );
  const used = expressions
    .flatMap(([, expr]) => selectorsOf(expr))
    .flatMap(({ conditions }) => conditions.filter(({ label }) => label === 'route'));
  expect(used.length).toBeGreaterThan(5);
  for (const { value } of used) {
    for (const route of value.split('|')) {
      const matches = served.filter((path) => new RegExp(`^${route}$`).test(path));
      expect(matches, `no route is ${route}`).not.toEqual([]);
    }
  }
});

test('every counter whose increase fires an alert is exported as zero before its first event', async () => {
  const series = await readSeries();
  const counted = ownRules
    .flatMap(({ expr }) => selectorsOf(expr))
    .filter(({ name }) => name.endsWith('_total'))
    .flatMap(({ name, conditions }) => conditions.map((condition) => ({ name, ...condition })));
  expect(counted.length).toBeGreaterThan(8);
  for (const { name, label, value } of counted) {
    expect([name, ...(series.get(name)?.values.get(label) ?? [])]).toContain(value);
  }
});

test('every alert has a severity, a summary and a section of the runbook, and every section has an alert', () => {
  const pages = [...readRootFile('docs/runbook.md').matchAll(/^## (Switchboard\w+)$/gm)].map(
    ([, name]) => String(name),
  );
  expect(rules.map(({ alert }) => alert).toSorted()).toEqual(pages.toSorted());
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  }
});

test('every section of the runbook describes symptoms, causes and remedies', () => {
  const [, ...pages] = readRootFile('docs/runbook.md').split(/^## (?=Switchboard)/m);
  for (const page of pages) {
    for (const part of ['**You see.**', '**Why.**', '**Do.**']) expect(page).toContain(part);
  }
});

test('prometheus.yml sends alerts to the Alertmanager that the deploy page configures', () => {
  expect(alerting).toEqual({
    alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:9093'] }] }],
  });
  const page = readRootFile('docs/deploy.md');
  const [, example = ''] = /alertmanager\.yml.+?```yaml\n(.+?)```/s.exec(page) ?? [];
  const { route, receivers } = parse(example) as {
    route: { receiver: string; routes: { matchers: string[]; receiver: string }[] };
    receivers: { name: string }[];
  };
  expect(route.routes.map(({ matchers }) => matchers)).toEqual([['severity="page"']]);
  const used = [route, ...route.routes].map(({ receiver }) => receiver);
  expect(receivers.map(({ name }) => name)).toEqual(used);
});

test('every rule file is in prometheus.yml, and every alert has a fault in the rule tests', () => {
  const written = readdirSync(join(ROOT, 'ops/prometheus')).filter((name) =>
    /(alerts|levels)\.yml$/.test(name),
  );
  expect(ruleFiles.toSorted()).toEqual(written.toSorted());
  const folder = 'ops/prometheus/alert-tests';
  const tried = readdirSync(join(ROOT, folder))
    .map((name) => readRootFile(`${folder}/${name}`))
    .join('');
  for (const { alert } of rules) {
    expect(tried).toMatch(new RegExp(`'${alert.replace('Switchboard', '')}'`));
  }
});

test('every alert has a fault in npm run alerts:prove', () => {
  const folder = join(ROOT, 'apps/chaos/src/alerts');
  const faults = readdirSync(folder)
    .filter((name) => name.endsWith('-faults.ts'))
    .map((name) => readRootFile(`apps/chaos/src/alerts/${name}`))
    .join('');
  for (const { alert } of ownRules) expect(faults).toContain(`'${alert}'`);
});

// test-long/alert-rules.test.ts tests every fault.
test('alerts fire only for their fault over their real windows', async () => {
  const script = join(ROOT, 'ops/prometheus/test-alerts.mjs');
  const arguments_ = [script, await findPromtool(), '--short'];
  // Throws with promtool's output if a rule test fails.
  const { stdout } = await promisify(execFile)(process.execPath, arguments_);
  expect(stdout).toContain('SUCCESS');
});

test('refused credentials of a workspace and a failed nightly job open a ticket, not a page', () => {
  const severities = new Map(rules.map(({ alert, labels }) => [alert, labels.severity]));
  for (const alert of ['CredentialsRefused', 'BackupFailed', 'RetentionFailed', 'RedisDown']) {
    expect([alert, severities.get(`Switchboard${alert}`)]).toEqual([alert, 'ticket']);
  }
});
