import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { findPrometheus, type Http, startChild } from '@switchboard/testing';
import { RULE_FILES, adaptConfiguration, shortenRules } from './shorten.ts';

/** One series of a range query: its values without their times. */
export interface Series {
  labels: Record<string, string>;
  values: number[];
}

export interface Prometheus {
  /** Returns the names of the alerts that are firing. */
  listFiring(): Promise<Set<string>>;
  /** Evaluates an expression at every second of a span of time and omits NaN. */
  readRange(expression: string, span: { from: Date; to: Date }): Promise<Series[]>;
  /** Returns the names of the alert rules of `alerts.yml`. */
  listRules(): Promise<string[]>;
  /** Returns whether the last scrape of every target succeeded. */
  reachesAllTargets(): Promise<boolean>;
  close(): Promise<void>;
}

/** Starts Prometheus with the configuration and rules of this repository, with shortened times. */
export async function startPrometheus(options: {
  /** The folder with `prometheus.yml` and the rules. */
  source: string;
  folder: string;
  targets: Readonly<Record<string, readonly string[]>>;
  http: Http;
}): Promise<Prometheus> {
  const { source, folder, http } = options;
  await mkdir(folder, { recursive: true });
  const configuration = await readFile(join(source, 'prometheus.yml'), 'utf8');
  const file = join(folder, 'prometheus.yml');
  await writeFile(file, adaptConfiguration(configuration, options.targets));
  for (const name of RULE_FILES) {
    const rules = await readFile(join(source, name), 'utf8');
    await writeFile(join(folder, name), shortenRules(rules));
  }

  const url = `http://127.0.0.1:${await findFreePort()}`;
  const child = await startChild({
    name: 'Prometheus',
    command: await findPrometheus(),
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${url.replace('http://', '')}`,
    ],
    env: {},
    isReady: (line) => line.includes('Server is ready to receive web requests'),
    readyTimeoutMs: 60_000,
  });

  async function query<Data>(path: string, parameters: Record<string, string> = {}): Promise<Data> {
    const search = new URLSearchParams(parameters).toString();
    return (await http.call<{ data: Data }>(`${url}/api/v1/${path}?${search}`)).data;
  }

  return {
    async listFiring() {
      const { alerts } = await query<{
        alerts: { state: string; labels: { alertname: string } }[];
      }>('alerts');
      const firing = alerts.filter(({ state }) => state === 'firing');
      return new Set(firing.map(({ labels }) => labels.alertname));
    },
    async readRange(expression, { from, to }) {
      const { result } = await query<{
        result: { metric: Record<string, string>; values: [number, string][] }[];
      }>('query_range', {
        query: expression,
        start: from.toISOString(),
        end: to.toISOString(),
        step: '1s',
      });
      return result.map(({ metric, values }) => ({
        labels: metric,
        values: values.map(([, value]) => Number(value)).filter((value) => !Number.isNaN(value)),
      }));
    },
    async listRules() {
      const { groups } = await query<{ groups: { file: string; rules: { name: string }[] }[] }>(
        'rules',
      );
      const own = groups.filter((group) => basename(group.file) === 'alerts.yml');
      return own.flatMap((group) => group.rules.map(({ name }) => name));
    },
    async reachesAllTargets() {
      const { activeTargets } = await query<{ activeTargets: { health: string }[] }>('targets');
      return activeTargets.length > 0 && activeTargets.every(({ health }) => health === 'up');
    },
    close: () => child.stop(),
  };
}
