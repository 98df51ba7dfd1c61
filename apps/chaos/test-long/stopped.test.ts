import { expect, test } from 'vitest';
import { runUntilStopped } from './run-until-stopped.ts';

test.each([
  ['SIGTERM', 'while its servers start', null, 143],
  ['SIGINT', 'in the middle of its work', 'started after', 130],
] as const)(
  'npm run chaos leaves no process or file behind if it receives %s %s',
  async (signal, _when, line, code) => {
    const stopped = await runUntilStopped({
      program: 'main.js',
      args: ['--messages', '1000'],
      isTime: ({ output, processes }) => (line === null ? processes > 2 : output.includes(line)),
      stop: (send) => send(signal),
    });
    expect(stopped).toMatchObject({ code, left: [], files: [] });
  },
);

test.each([
  ['while its servers start', null],
  ['in the middle of its work', 'all processes are running'],
])(
  'npm run alerts:prove leaves no process or file behind if it receives SIGTERM %s',
  async (_when, line) => {
    const stopped = await runUntilStopped({
      program: 'alerts.js',
      args: ['--only', 'SwitchboardReplicaLags'],
      isTime: ({ output, processes }) => (line === null ? processes > 4 : output.includes(line)),
      stop: (send) => send('SIGTERM'),
    });
    expect(stopped).toMatchObject({ code: 143, left: [], files: [] });
  },
);

test('npm run roll ends after its time limit and leaves no process or file behind', async () => {
  const stopped = await runUntilStopped({
    program: 'roll.js',
    args: ['--rate', '20', '--minutes-limit', '1'],
    isTime: ({ processes }) => processes > 10,
    stop: () => undefined,
  });
  expect(stopped).toMatchObject({ code: 1, left: [], files: [] });
  expect(stopped.output).toContain('The run was stopped after 60 s.');
});
