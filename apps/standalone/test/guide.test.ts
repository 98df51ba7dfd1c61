import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseEnvironment, startStandalone, stopAll } from './standalone-process.ts';

const GUIDE = resolve(import.meta.dirname, '../../../docs/guide.md');
/** A replacement for curl with the options that the guide uses. */
const CURL = resolve(import.meta.dirname, 'curl.mjs');
/** The ports in the guide's commands. */
const DEFAULT_PORTS = { PORT: '3000', SIMULATOR_PORT: '3001' } as const;
const BETWEEN = '--- the next block ---';

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-guide-'));
  env = { ...(await chooseEnvironment(join(folder, 'data'))), ALLOW_SIGNUP: 'true' };
  await startStandalone(env);
});
afterAll(async () => {
  await stopAll();
  await rm(folder, { recursive: true });
});

interface Step {
  heading: string;
  script: string;
  /** The output that the guide shows, or null. */
  shown: unknown;
}

/** Returns the shell blocks of the guide, each with the JSON block that follows it. */
function readSteps(guide: string): Step[] {
  const steps: Step[] = [];
  for (const section of guide.split(/^## /m).slice(1)) {
    const [heading = ''] = section.split('\n');
    for (const [, kind, content = ''] of section.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
      const last = steps.at(-1);
      if (kind === 'sh') steps.push({ heading, script: content, shown: null });
      else if (kind === 'json' && last !== undefined) last.shown = JSON.parse(content);
    }
  }
  return steps;
}

/** Runs all blocks in one shell, as a reader would. Returns the output of each. */
async function runInShell(scripts: string[]): Promise<string[]> {
  // The machine may have no curl.
  const curl = `command -v curl >/dev/null || curl() { node ${CURL} "$@"; }\n`;
  const script = curl + scripts.join(`\necho; echo '${BETWEEN}'\n`);
  const shell = spawn('sh', ['-eu', '-c', script], {
    // The guide writes a picture.
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const giveUp = setTimeout(() => shell.kill(), 240_000);
  const [output, errors, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close') as Promise<[number | null]>,
  ]);
  clearTimeout(giveUp);
  if (code !== 0) throw new Error(`The guide's shell ended with ${code}: ${errors}\n${output}`);
  return output.split(BETWEEN);
}

/** Returns a matcher. `…` at the end of a text matches any rest. */
function matcherOf(shown: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    const start = shown.slice(0, -1).replaceAll(/[^\w]/g, String.raw`\$&`);
    return expect.stringMatching(new RegExp(`^${start}.+`));
  }
  if (Array.isArray(shown)) return shown.map(matcherOf);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, matcherOf(value)]));
}

test('every command of the guide works, in order, and prints the output that the guide shows', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const steps = readSteps(guide);
  expect(new Set(steps.map(({ heading }) => heading)).size).toBe(12);
  const scripts = steps.map(({ script }) =>
    (['PORT', 'SIMULATOR_PORT'] as const).reduce(
      (line, name) => line.replaceAll(`127.0.0.1:${DEFAULT_PORTS[name]}`, `127.0.0.1:${env[name]}`),
      script,
    ),
  );
  const outputs = await runInShell(scripts);
  expect(outputs).toHaveLength(steps.length);
  for (const [at, { heading, shown }] of steps.entries()) {
    if (shown === null) continue;
    const output = outputs[at]?.trim() ?? '';
    expect([heading, JSON.parse(output)]).toEqual([heading, matcherOf(shown)]);
  }
});
