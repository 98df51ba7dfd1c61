import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createWorkerMetrics } from '../../apps/worker/src/worker-metrics.ts';
import { countConnections } from '../../packages/core/src/index.ts';
import { SETTINGS } from '../../packages/runtime/src/index.ts';
import { ROOT, defaultOf, readRootFile, settingsOf } from './settings-in-code.ts';

const FOLDER = 'ops/kubernetes';
const DRAIN_AND_LIMIT = /(?:DRAIN_MS|TimeoutStopSec)=(\d+)/g;
/** The timeouts of the phases of an API's shutdown after the drain. */
const SHUTDOWN_MS = 16_000;

interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  args: string[];
  ports?: { name: string; containerPort: number }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: object;
  resources: { requests?: object; limits?: { memory: string } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface CronJob {
  spec: {
    jobTemplate: {
      spec: {
        activeDeadlineSeconds: number;
        template: {
          spec: { restartPolicy: string; securityContext: object; containers: Container[] };
        };
      };
    };
  };
}
interface Resource {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    replicas?: number;
    maxReplicaCount?: number;
    maxUnavailable?: number;
    selector?: { matchLabels: Record<string, string> };
    scaleTargetRef?: { name: string };
    triggers?: { metadata: { query: string } }[];
    jobLabel?: string;
    podMetricsEndpoints?: { port: string }[];
    template?: {
      metadata: { labels: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: object;
        initContainers: Container[];
        containers: Container[];
      };
    };
  };
}

const files = readdirSync(path.join(ROOT, FOLDER), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.yaml') && !name.endsWith('kustomization.yaml'));
const resources = files.flatMap((name) =>
  parseAllDocuments(readRootFile(`${FOLDER}/${name}`)).map((one) => one.toJS() as Resource),
);

function get(kind: string, name: string): Resource {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

const PROCESSES = ['api', 'worker'];

function podOf(process: string) {
  const template = get('Deployment', `switchboard-${process}`).spec?.template;
  const [container] = template?.spec.containers ?? [];
  const [migrate] = template?.spec.initContainers ?? [];
  if (template === undefined || container === undefined || migrate === undefined) {
    throw new Error(`The pod of ${process} is not complete.`);
  }
  return { ...template.spec, labels: template.metadata.labels, container, migrate };
}

test('every Kubernetes file is a resource of a kustomization', () => {
  const named = ['', 'worker-scaler/', 'monitoring/', 'retention/'].flatMap((folder) => {
    const file = readRootFile(`${FOLDER}/${folder}kustomization.yaml`);
    return (parse(file) as { resources: string[] }).resources.map((name) => `${folder}${name}`);
  });
  expect(files.toSorted()).toEqual(named.toSorted());
});

test('the ConfigMap has only settings that the code reads, and no secrets', () => {
  const { data = {} } = get('ConfigMap', 'switchboard');
  const read = [...PROCESSES, 'cli'].flatMap(settingsOf);
  for (const name of Object.keys(data)) expect(read).toContain(name);
  expect(Object.keys(data).filter((name) => /KEY|SECRET|DATABASE|REDIS/.test(name))).toEqual([]);
});

test('every required setting is in the ConfigMap or in the documented secret', () => {
  const { data = {} } = get('ConfigMap', 'switchboard');
  const text = readRootFile(`${FOLDER}/kustomization.yaml`);
  const inSecret = [...text.matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => name);
  const required = PROCESSES.flatMap(settingsOf).filter((name) => {
    const known = defaultOf(name);
    return 'kind' in known && known.kind === 'required';
  });
  expect(required).toContain('SECRET_KEY');
  expect([...Object.keys(data), ...inSecret]).toEqual(expect.arrayContaining(required));
  for (const process of PROCESSES) {
    const { container, migrate } = podOf(process);
    const sources = [
      { configMapRef: { name: 'switchboard' } },
      { secretRef: { name: 'switchboard' } },
    ];
    expect([container.envFrom, migrate.envFrom]).toEqual([sources, sources]);
  }
});

test('liveness and readiness probes use their health routes on the port of the image', () => {
  const dockerfile = readRootFile('Dockerfile');
  const ports = { api: /\bPORT=(\d+)/, worker: /METRICS_PORT=(\d+)/ };
  for (const [process, pattern] of Object.entries(ports)) {
    const { container } = podOf(process);
    const port = Number(pattern.exec(dockerfile)?.[1]);
    const [opened] = container.ports ?? [];
    expect(opened?.containerPort).toBe(port);
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const probes = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    expect(probes).toEqual(
      ['live', 'live', 'ready'].map((what) => ({ path: `/health/${what}`, port: opened?.name })),
    );
  }
});

test('pods migrate first, run commands of the image, and are unprivileged with a read-only file system', () => {
  for (const process of PROCESSES) {
    const { container, migrate, securityContext } = podOf(process);
    expect([migrate.args, container.args]).toEqual([['migrate'], [process]]);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const one of [container, migrate]) {
      expect(one.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
      expect(one.resources).toMatchObject({
        requests: { cpu: expect.anything(), memory: expect.anything() },
        limits: { memory: expect.anything() },
      });
    }
  }
});

test('the memory limit of an API holds as many slow requests as CONNECTION_LIMIT allows, in a pod and in a unit', () => {
  const figure = /(\d+) MB for each API, and (\d+) kB for each connection/;
  const [, base, each] = figure.exec(readRootFile('docs/sizing.md')) ?? [];
  const needed =
    Number(base) * 1e6 + Number(each) * 1e3 * Number(SETTINGS.CONNECTION_LIMIT.default);
  const { limits } = podOf('api').container.resources;
  const [, limit] = /^(\d+)Mi$/.exec(limits?.memory ?? '') ?? [];
  expect(Number(limit) * 1024 ** 2).toBeGreaterThan(1.25 * needed);
  expect(readRootFile('ops/systemd/switchboard-api@.service')).toContain(`MemoryMax=${limit}M\n`);
});

test('the retention CronJob runs a command of the image, unprivileged and with a deadline', () => {
  const { spec } = get('CronJob', 'switchboard-retention') as unknown as CronJob;
  const { activeDeadlineSeconds, template } = spec.jobTemplate.spec;
  expect(activeDeadlineSeconds).toBeLessThan(86_400);
  const [container] = template.spec.containers;
  const worker = podOf('worker');
  expect(container?.args).toEqual(['retention']);
  expect(readRootFile('ops/docker/entrypoint.sh')).toMatch(/\| retention\)/);
  expect(container?.envFrom).toEqual(worker.container.envFrom);
  expect(container?.securityContext).toEqual(worker.container.securityContext);
  expect(template.spec).toMatchObject({
    restartPolicy: 'Never',
    securityContext: worker.securityContext,
  });
});

test('a pod has at least as much time to stop as a container under compose', () => {
  const { services } = parse(readRootFile('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { stop_grace_period: string }>;
  };
  for (const process of PROCESSES) {
    const compose = parseInt(services[process]?.stop_grace_period ?? '', 10);
    expect(compose).toBeGreaterThan(15);
    expect(podOf(process).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(compose);
  }
});

test('an API pod has enough time to drain and for all phases of its shutdown', () => {
  const { data = {} } = get('ConfigMap', 'switchboard');
  const drains = {
    kubernetes: [Number(data['DRAIN_MS']), podOf('api').terminationGracePeriodSeconds],
    systemd: [
      ...readRootFile('ops/systemd/switchboard-api@.service').matchAll(DRAIN_AND_LIMIT),
    ].map(([, number]) => Number(number)),
  };
  for (const [drainMs = 0, limitSeconds = 0] of Object.values(drains)) {
    expect(drainMs).toBeGreaterThan(3_000);
    expect(limitSeconds * 1_000).toBeGreaterThan(drainMs + SHUTDOWN_MS);
  }
});

test('each kind of pod has two replicas, and only one may be unavailable at a time', () => {
  for (const process of PROCESSES) {
    const { spec } = get('PodDisruptionBudget', `switchboard-${process}`);
    expect(spec?.maxUnavailable).toBe(1);
    const deployment = get('Deployment', `switchboard-${process}`);
    const { labels } = podOf(process);
    expect(deployment.spec?.replicas).toBe(2);
    expect(spec?.selector?.matchLabels).toEqual(labels);
    expect(deployment.spec?.selector?.matchLabels).toEqual(labels);
  }
});

test('the worker scaler uses a metric that workers export', async () => {
  const { spec } = get('ScaledObject', 'switchboard-worker');
  expect(spec?.scaleTargetRef?.name).toBe(get('Deployment', 'switchboard-worker').metadata.name);
  const metrics = await createWorkerMetrics({ poolWaiting: () => 0 }).registry.getMetricsAsJSON();
  const [name] = /switchboard_\w+/.exec(spec?.triggers?.[0]?.metadata.query ?? '') ?? [];
  expect(metrics.map((metric) => metric.name)).toContain(name);
});

test('KEDA’s maximum of workers is in the connection table of the scaling guide', () => {
  const { api, worker } = countConnections({ hasRedis: true, isThroughPgBouncer: false });
  const { maxReplicaCount = 0 } = get('ScaledObject', 'switchboard-worker').spec ?? {};
  const apis = get('Deployment', 'switchboard-api').spec?.replicas ?? 0;
  // An update runs one more of each kind. Migrations, backups, exporters and operators need 20 connections.
  const sum = api * (apis + 1) + worker * (maxReplicaCount + 1) + 20;
  const row = new RegExp(`^\\| ${apis} \\| ${maxReplicaCount}, .* \\| (\\d+) \\| (\\d+) \\|$`, 'm');
  const [, documentedSum, limit] = row.exec(readRootFile('docs/scaling.md')) ?? [];
  expect(Number(documentedSum)).toBe(sum);
  // PostgreSQL reserves three connections for superusers.
  expect(Number(limit) - 3).toBeGreaterThan(sum);
});

test('pod monitors select the pods, their metrics port and the job name that the rules use', () => {
  const dockerfile = readRootFile('Dockerfile');
  const settings = { api: /OPS_PORT=(\d+)/, worker: /METRICS_PORT=(\d+)/ };
  for (const [process, pattern] of Object.entries(settings)) {
    const { spec } = get('PodMonitor', `switchboard-${process}`);
    const { labels, container } = podOf(process);
    expect(spec?.selector?.matchLabels).toEqual(labels);
    const number = Number(pattern.exec(dockerfile)?.[1]);
    const port = container.ports?.find(({ containerPort }) => containerPort === number);
    expect(spec?.podMetricsEndpoints?.[0]?.port).toBe(port?.name ?? 'none');
    const job = labels[spec?.jobLabel ?? ''] ?? 'none';
    expect(readRootFile('ops/prometheus/alerts.yml')).toContain(`job="${job}"`);
  }
});
