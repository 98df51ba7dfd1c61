import { expect, test } from 'vitest';
import { runUntilStopped } from './run-until-stopped.ts';

test.each([
  ['SIGTERM', 'while its servers start', null, 143],
  ['SIGINT', 'in the middle of its work', 'started after', 130],
] as const)(
  'npm run chaos that receives %s %s leaves no process or file behind',
  async (signal, _when, line, code) => {
    const stopped = await runUntilStopped({
      program: 'main.js',
      args: ['--messages', '1000'],
      isTime: ({ output, processes }) => (line === null ? processes > 2 : output.includes(line)),
      stop: (send) => send(signal),
    });
    expect(stopped).toMatchObject({ code, left: [], files: [] });
  },
  240_000,
);
