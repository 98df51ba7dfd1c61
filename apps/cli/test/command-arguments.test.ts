import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '@switchboard/testing';
import { expect, test } from 'vitest';

const SOURCE = path.join(import.meta.dirname, '../src');

/** The names of all commands of the package for `npm run`. */
const COMMANDS = readdirSync(SOURCE)
  .filter((file) => file.endsWith('.ts'))
  .filter((file) => /^await run/m.test(readFileSync(path.join(SOURCE, file), 'utf8')))
  .map((file) => path.basename(file, '.ts'));

test.each(COMMANDS)(
  '`npm run %s` names an unknown option and prints one line of usage without a stack trace',
  async (name) => {
    // Without any setting: arguments are checked before settings.
    const { code, stderr } = await runCommand(name, { args: ['--dryrun'] });
    expect(code).toBe(1);
    const [problem, usage, ...rest] = stderr.split('\n');
    expect(problem).toBe("Unknown option '--dryrun'.");
    expect(usage).toMatch(new RegExp(`^Usage: npm run ${name}( -- .+)?$`));
    expect(rest).toEqual(['']);
  },
);

test('a command names an unexpected argument and prints its usage', async () => {
  expect(await runCommand('migrate', { args: ['now'] })).toEqual({
    code: 1,
    stdout: '',
    stderr: "Unexpected argument 'now'.\nUsage: npm run migrate\n",
  });
});
