import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = path.join(import.meta.dirname, '../src');

/** The names of all commands of the package for `npm run`. */
const COMMANDS = readdirSync(SOURCE)
  .filter((file) => file.endsWith('.ts'))
  .filter((file) => /^await run/m.test(readFileSync(path.join(SOURCE, file), 'utf8')))
  .map((file) => path.basename(file, '.ts'));

/** Runs a command without any setting, because arguments are checked before settings. */
function run(name: string, args: string[]): Promise<{ code: unknown; stderr: string }> {
  const file = path.join(import.meta.dirname, `../dist/${name}.js`);
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env: {}, timeout: 25_000 }, (error, _, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stderr }),
    );
  });
}

test.each(COMMANDS)(
  '`npm run %s` refuses an unknown option by its name, with one line of usage and no stack trace',
  async (name) => {
    const { code, stderr } = await run(name, ['--dryrun']);
    expect(code).toBe(1);
    const [problem, usage, ...rest] = stderr.split('\n');
    expect(problem).toBe("Unknown option '--dryrun'.");
    expect(usage).toMatch(new RegExp(`^Usage: npm run ${name}( -- .+)?$`));
    expect(rest).toEqual(['']);
  },
);

test('a command refuses an unknown argument', async () => {
  expect(await run('migrate', ['now'])).toEqual({
    code: 1,
    stderr: "Unexpected argument 'now'.\nUsage: npm run migrate\n",
  });
});
