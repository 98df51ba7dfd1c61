import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgramFile } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, defaultOf, readRootFile, settingsOf } from './settings-in-code.ts';

const UNITS = { api: 'PORT', worker: 'METRICS_PORT' } as const;

/** Returns all values of each key, in their order. */
function readUnit(name: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const line of readRootFile(`ops/systemd/${name}`).split('\n')) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) {
      values.set(key, [...(values.get(key) ?? []), value]);
    }
  }
  return values;
}

test('the API and worker units migrate and then start a built program on the port of their name', () => {
  for (const [app, port] of Object.entries(UNITS)) {
    const unit = readUnit(`switchboard-${app}@.service`);
    const programs = ['ExecStartPre', 'ExecStart'].map(
      (key) => /^\/usr\/bin\/node(?: --\S+)? dist\/(.+)\.js$/.exec(unit.get(key)?.[0] ?? '')?.[1],
    );
    expect(programs).toEqual(['migrate', app]);
    for (const program of programs) expect(existsSync(findProgramFile(program ?? ''))).toBe(true);
    const drain = app === 'api' ? ' OPS_PORT=1%i DRAIN_MS=5000' : '';
    expect(unit.get('Environment')).toEqual([
      `NODE_ENV=production ${port}=%i${drain}`,
      'MEDIA_FOLDER=/var/lib/switchboard-media',
    ]);
    expect(settingsOf(app)).toContain(port);
  }
});

test('the API has the larger young generation under systemd, in the image and with npm start', () => {
  const starters = [
    'ops/systemd/switchboard-api@.service',
    'ops/docker/entrypoint.sh',
    'apps/standalone/src/create-processes.ts',
    // V8 uses the code cache of the bundle only with the same flag.
    'scripts/bundle-programs.mjs',
    'packages/testing/src/processes/start-app.ts',
  ];
  for (const file of starters) expect(readRootFile(file)).toContain('--max-semi-space-size=64');
});

test('the API and worker units share a folder for uploaded files that only the service can read', () => {
  for (const app of Object.keys(UNITS)) {
    const unit = readUnit(`switchboard-${app}@.service`);
    // Below /var/lib. The unit may write only here.
    expect(unit.get('StateDirectory')).toEqual(['switchboard-media']);
    expect(unit.get('StateDirectoryMode')).toEqual(['0700']);
    expect(settingsOf(app)).toContain('MEDIA_FOLDER');
  }
});

test('the API and worker units always restart, and have the same time limit for stopping as the containers under compose', () => {
  const { services } = parse(readRootFile('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { stop_grace_period: string }>;
  };
  for (const app of Object.keys(UNITS)) {
    const unit = readUnit(`switchboard-${app}@.service`);
    expect(unit.get('Restart')).toEqual(['always']);
    expect(unit.get('StartLimitIntervalSec')).toEqual(['0']);
    expect(`${unit.get('TimeoutStopSec')?.[0]}s`).toBe(services[app]?.stop_grace_period);
    expect(unit.get('PartOf')).toEqual(['switchboard.target']);
  }
});

test('every unit has a memory limit and reports its failure', () => {
  const names = readdirSync(path.join(ROOT, 'ops/systemd')).filter((name) =>
    /^switchboard-(?!failure).*\.service$/.test(name),
  );
  expect(names.length).toBeGreaterThanOrEqual(4);
  for (const name of names) {
    const unit = readUnit(name);
    expect([name, unit.get('MemoryMax')]).toEqual([name, [expect.stringMatching(/^\d+[MG]$/)]]);
    expect([name, unit.get('OnFailure')]).toEqual([name, ['switchboard-failure@%n.service']]);
  }
});

test('systemd-analyze accepts every key of every unit', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-units-'));
  try {
    const files = readdirSync(path.join(ROOT, 'ops/systemd')).map((name) => {
      // An instance of the template, as systemctl creates it.
      const file = path.join(folder, name.replace('@.', '@3000.'));
      // Some machines that run this test have Node in another folder.
      const text = readRootFile(`ops/systemd/${name}`).replaceAll('=/usr/bin/node', '=/bin/true');
      writeFileSync(file, text);
      return file;
    });
    const { status, stderr, error } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', ...files],
      {
        encoding: 'utf8',
        env: { ...process.env, SYSTEMD_LOG_TARGET: 'console' },
      },
    );
    if (error !== undefined) {
      throw new Error('This test needs systemd-analyze: install systemd.', { cause: error });
    }
    const complaints = stderr.split('\n').filter((line) => line.includes(folder));
    expect([status, complaints]).toEqual([0, []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the log rate limit of each unit is at least twice the highest measured rate', () => {
  for (const app of Object.keys(UNITS)) {
    const unit = readUnit(`switchboard-${app}@.service`);
    const row = new RegExp(
      `\\| \`switchboard-${app}@\` \\| ([\\d,]+) \\| ([\\d,]+) \\| ([\\d,]+) \\|`,
    ).exec(readRootFile('docs/logs.md'));
    const [perSecond = 0, inThirty, burst] = (row ?? [])
      .slice(1)
      .map((cell) => Number(cell.replaceAll(',', '')));
    expect(inThirty).toBe(30 * perSecond);
    expect(burst).toBeGreaterThanOrEqual(60 * perSecond);
    expect(unit.get('LogRateLimitIntervalSec')).toEqual(['30']);
    expect(unit.get('LogRateLimitBurst')).toEqual([String(burst)]);
  }
});

test('the unit that reports failures lets its program send mail through the mail server of the machine', () => {
  const unit = readUnit('switchboard-failure@.service');
  // strict makes the spool folders under /var read-only.
  expect(unit.get('ProtectSystem')).toEqual(['full']);
  // Mail servers run set-user-ID programs, and deliver in the background.
  expect(unit.get('NoNewPrivileges')).toBeUndefined();
  expect(unit.get('KillMode')).toEqual(['process']);
});

test('the guides stop the processes by name, because stopping the target does not wait for them', () => {
  const commands = ['backup', 'deploy', 'high-availability', 'runbook', 'secrets'].flatMap(
    (guide) =>
      [
        ...readRootFile(`docs/${guide}.md`).matchAll(
          /systemctl stop [^`\n]*switchboard\.target[^`\n]*/g,
        ),
      ].map(([command]) => command),
  );
  expect(commands.length).toBeGreaterThanOrEqual(3);
  for (const command of commands) {
    expect(command).toContain("switchboard.target 'switchboard-*@*'");
  }
});

test('every unit runs without privileges, in a sandbox', () => {
  for (const name of ['api@', 'worker@', 'backup', 'restore-test', 'retention']) {
    const unit = readUnit(`switchboard-${name}.service`);
    expect(unit.get('User')).toEqual(['switchboard']);
    expect(unit.get('CapabilityBoundingSet')).toEqual(['']);
    expect(unit.get('NoNewPrivileges')).toEqual(['yes']);
    expect(unit.get('ProtectSystem')).toEqual(['strict']);
    expect(unit.get('SystemCallFilter')).toEqual(['@system-service', '~@privileged']);
  }
});

test.each(['backup', 'restore-test', 'retention'])(
  'the scheduled job %s runs a program that is built, with the settings and limits of a worker',
  (name) => {
    const unit = readUnit(`switchboard-${name}.service`);
    const worker = readUnit('switchboard-worker@.service');
    const [, program] =
      /^\/usr\/bin\/node dist\/(.+)\.js$/.exec(unit.get('ExecStart')?.[0] ?? '') ?? [];
    expect(existsSync(findProgramFile(program ?? ''))).toBe(true);
    const shared = [...worker.keys()].filter((key) =>
      /^(User|WorkingDirectory|EnvironmentFile|CapabilityBoundingSet|.*(Private|Protect|Restrict|SystemCall|NoNew).*)$/.test(
        key,
      ),
    );
    expect(shared.length).toBeGreaterThan(15);
    for (const key of shared) expect([key, unit.get(key)]).toEqual([key, worker.get(key)]);
    expect(unit.get('ReadWritePaths')).toEqual(['-/var/lib/prometheus/node-exporter']);
    expect(readUnit(`switchboard-${name}.timer`).get('OnCalendar')).toHaveLength(1);
  },
);

test('the deployment guide sets every required setting, and only settings that a process reads', () => {
  const guide = readRootFile('docs/deploy.md').split('## 3. Settings')[1]?.split('## 4.')[0] ?? '';
  const set = [...guide.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  const read = ['api', 'worker'].flatMap(settingsOf);
  const required = read.filter((name) => {
    const known = defaultOf(name);
    return 'kind' in known && known.kind === 'required';
  });
  expect(set).toEqual(expect.arrayContaining(required));
  expect(read).toEqual(expect.arrayContaining(set));
});

test('every file and every command that the guides name exists', () => {
  const { scripts } = JSON.parse(readRootFile('package.json')) as { scripts: object };
  for (const guide of [
    'README',
    'backup',
    'deploy',
    'high-availability',
    'logs',
    'runbook',
    'scaling',
    'secrets',
    'service-levels',
    'sizing',
  ]) {
    const text = readRootFile(`docs/${guide}.md`);
    for (const [, link = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      expect(existsSync(path.join(ROOT, 'docs', link)), `${guide}: ${link}`).toBe(true);
    }
    for (const [, name = ''] of text.matchAll(/npm run ([a-z:-]*[a-z])/g)) {
      expect(Object.keys(scripts), `${guide}: npm run ${name}`).toContain(name);
    }
  }
});
