import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startKannel } from '@switchboard/testing';
import { type BenchEnvironment, openBenchEnvironment } from '../environment/open-environment.ts';
import { runLoad } from '../load/run-load.ts';
import type { Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

const CONNECTIONS = 64;

/** Measures how fast the service and Kannel accept messages, in turn. Neither sends the messages. */
export const kannel: Scenario = {
  name: 'kannel',
  summary: 'accepted per second, compared with Kannel: bearerbox and smsbox',

  async run(options) {
    const [rounds, seconds] = options.short ? [3, 4] : [5, 10];
    const environment = await openBenchEnvironment({ ...options, workspaces: 1 });
    try {
      const api = await environment.startApi();
      const apiKeys = environment.workspaces.map((workspace) => workspace.apiKey);
      const load = { connections: CONNECTIONS, warmUpSeconds: 1 };
      const programs = {
        ours: { ...load, url: api.url, apiKeys },
        memory: { ...load, ...(await openKannel(environment, false)) },
        files: { ...load, ...(await openKannel(environment, true)) },
      };
      const names = ['ours', 'memory', 'files'] as const;
      options.onProgress('warming up');
      for (const name of names) {
        await runLoad({ ...programs[name], seconds: 1, warmUpSeconds: 5 });
      }
      const rates = { ours: [] as number[], memory: [] as number[], files: [] as number[] };
      for (let round = 1; round <= rounds; round += 1) {
        options.onProgress(`round ${round} of ${rounds}`);
        for (const name of names) {
          rates[name].push((await runLoad({ ...programs[name], seconds })).acceptedPerSecond);
        }
      }
      const ratio = (reference: number[]) =>
        median(reference.map((rate, round) => (rates.ours[round] ?? 0) / rate));
      const rate = (name: string, values: number[]) => ({
        name,
        value: median(values),
        unit: 'per second' as const,
        goal: null,
      });
      return [
        rate('accepted', rates.ours),
        rate('Kannel, messages in memory', rates.memory),
        rate('Kannel, messages in files', rates.files),
        {
          name: 'accepted / Kannel, messages in memory',
          value: ratio(rates.memory),
          unit: 'times',
          goal: null,
        },
        {
          name: 'accepted / Kannel, messages in files',
          value: ratio(rates.files),
          unit: 'times',
          goal: { atLeast: 2 },
        },
      ];
    } finally {
      await environment.close();
    }
  },
};

/** Starts a gateway without an SMSC, and returns the part of a load plan that addresses it. */
async function openKannel({ folder, onClose }: BenchEnvironment, keepsFiles: boolean) {
  const own = join(folder, keepsFiles ? 'kannel-files' : 'kannel-memory');
  await mkdir(own, { recursive: true });
  // Never called: nothing is delivered.
  const receiverUrl = 'http://127.0.0.1:9';
  const gateway = await startKannel({
    folder: own,
    smsc: null,
    receiverUrl,
    keepsFiles,
    logLevel: 1,
  });
  onClose(() => gateway.stop());
  return { url: gateway.url, program: 'kannel' as const, apiKeys: [] };
}
