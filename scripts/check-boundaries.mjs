// Checks which workspace may import which. `npm run check` runs it. Prints one line for each violation.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { findHeavyImports } from './find-heavy-imports.mjs';
import { findImportCycles } from './find-import-cycles.mjs';
import { findRouteRegistrations } from './find-route-registrations.mjs';
import { createVendorWordCheck } from './find-vendor-words.mjs';
import { findVisibleStrings } from './find-visible-strings.mjs';

const SCOPE = '@switchboard/';
const SERVICE = [
  'core',
  'contracts',
  'credentials',
  'database',
  'embedded-postgres',
  'events',
  'mail',
  'media',
  'postgres',
  'providers',
  'queue',
  'rate-limits',
  'redis',
  'runtime',
  'smpp',
];

/**
 * Which packages of ours a workspace's code may import, or which entry of a package. Its tests may import all
 * packages.
 */
const ALLOWED = {
  'packages/core': [],
  'packages/client': ['contracts'],
  // The vendors' credentials and webhooks are part of the API.
  'packages/contracts': ['core', 'providers/fields', 'providers/vendors'],
  'packages/credentials': [],
  'packages/database': ['core', 'postgres'],
  'packages/embedded-postgres': [],
  'packages/events': ['core', 'postgres', 'redis'],
  'packages/mail': [],
  'packages/media': ['core'],
  'packages/postgres': [],
  'packages/providers': ['core', 'smpp'],
  'packages/queue': ['core', 'postgres', 'redis'],
  'packages/rate-limits': ['core', 'postgres', 'redis'],
  'packages/redis': ['core'],
  // The addresses of the vendors' APIs are settings.
  'packages/runtime': ['core', 'postgres', 'providers/vendors', 'redis'],
  'packages/smpp': [],
  'packages/testing': SERVICE,
  'apps/api': SERVICE,
  // Measures the processes from outside; its reference implementations use the same database.
  'apps/bench': ['core', 'database', 'embedded-postgres', 'events', 'queue', 'testing'],
  // Causes faults of the processes from outside, and checks the service as its clients and
  // operators would.
  'apps/chaos': ['embedded-postgres', 'testing'],
  'apps/cli': SERVICE,
  'apps/dashboard': ['client', 'contracts', 'providers/forms'],
  // Only the protocol, which both the simulator and the service implement, and the recipients with fixed outcomes.
  'apps/simulator': ['providers/magic-numbers', 'smpp'],
  'apps/standalone': SERVICE,
  'apps/worker': SERVICE,
};

/** Libraries that only these workspaces may import. Tests of the workspaces in `tests` may import them too. */
const HOMES = [
  { library: /^(@prisma\/|prisma($|\/))/, homes: ['packages/database'] },
  { library: /^bullmq($|\/)/, homes: ['packages/queue', 'apps/bench'] },
  // Tests and reference implementations connect to Redis directly.
  {
    library: /^ioredis($|\/)/,
    homes: ['packages/redis', 'apps/bench', 'apps/chaos'],
    tests: ['packages/queue', 'packages/testing'],
  },
  { library: /^twilio($|\/)/, homes: ['packages/providers'], tests: ['apps/simulator'] },
  // The adapters of these vendors make their requests themselves.
  { library: /^(telnyx($|\/)|@vonage\/)/, homes: [], tests: ['apps/simulator'] },
  // An independent peer for our own implementation of the protocol.
  {
    library: /^smpp($|\/)/,
    homes: [],
    tests: ['apps/simulator', 'apps/worker', 'packages/providers'],
  },
];

/** Code that connects to PostgreSQL with a URL of the settings, which may have several hosts. */
const REACHES_POSTGRES = /^(packages\/(?!postgres$|testing$)|apps\/(api|worker|cli|standalone)$)/;

const SERVICE_CODE = /^(packages\/(?!testing$)|apps\/(api|worker|cli)$)/;

/** Workspaces whose code also runs in browsers. */
const WITHOUT_NODE = ['packages/core', 'packages/client', 'packages/contracts', 'apps/dashboard'];

/** `test-long` has the tests that take minutes. */
const TEST_FOLDERS = ['test', 'test-long'];

/** Workspaces whose folders must not import each other, except for the shared ones. */
const SEPARATE_FOLDERS = {
  'apps/api': { shared: ['auth', 'http', 'wire'] },
  'apps/worker': { shared: [] },
  'packages/events': { shared: [] },
  'packages/queue': { shared: [] },
  'packages/rate-limits': { shared: [] },
};

/** Workspaces whose folders import each other in one direction. */
const DIRECTED_FOLDERS = /^packages\/(?!core$)/;

/** Where events have slots, and positions consist of numbers. Others read and write events without it. */
const NUMBERS_EVENTS =
  /^packages\/(core\/src\/(events\/|index)|database\/src\/(messages\/events\/|index))/;
const OF_EVENT_NUMBERING =
  /\b(startOfSlot|slotOf|MAX_EVENT_SLOT|START_OF_SLOT|mergeEvents|setEventSlot|event_slot_?\w*|previous_seq)\b/;

/** Code with statements. Elsewhere, `$4` is in replacements of regular expressions. */
const HAS_STATEMENTS = /^(packages\/(?!core$|testing$)|apps\/(api|worker|cli)$)/;
const FOURTH_POSITION = /\$([4-9]|[1-9]\d)\b/;

const MAX_LINES = 300;
const HOOK_AT_TOP_LEVEL = /^(before|after)(All|Each)\(/m;

/**
 * @param {string} root the repository's folder
 * @returns {string[]} the violations in the form `file: problem`
 */
export function findViolations(root) {
  const findVendorWords = createVendorWordCheck(root);
  return ['packages', 'apps']
    .flatMap((kind) => listWorkspaces(root, kind))
    .flatMap((workspace) =>
      ALLOWED[workspace] === undefined
        ? [`${workspace}: has no entry in the table of scripts/check-boundaries.mjs`]
        : checkWorkspace(root, workspace, findVendorWords),
    );
}

function checkWorkspace(root, workspace, findVendorWords) {
  const relativeImports = new Map();
  const modules = new Map();
  const problems = listSources(root, workspace).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const parsed = parseSync(file, text);
    if (parsed.errors.length > 0) return [`${file}: cannot be parsed`];
    modules.set(file, parsed);
    const imports = importsOf(parsed.module, text);
    relativeImports.set(
      file,
      imports.filter((name) => name.startsWith('.')).map((name) => resolveImport(file, name)),
    );
    const words = isTest(workspace, file) ? [] : findVendorWords(file, text);
    return [
      ...checkFile(workspace, file, text, parsed, imports),
      ...words.map((problem) => `${file}: ${problem}`),
    ];
  });
  const cycles = findImportCycles(relativeImports).map(
    (cycle) => `${cycle[0]}: is part of an import cycle: ${[...cycle, cycle[0]].join(' → ')}`,
  );
  return [
    ...problems,
    ...cycles,
    ...(DIRECTED_FOLDERS.test(workspace) ? findFolderCycles(workspace, relativeImports) : []),
    ...findHeavyImports(modules),
  ];
}

/** Finds folders that import each other, among the folders of files and among those directly below `src`. */
function findFolderCycles(workspace, relativeImports) {
  const cyclesAmong = (folderOf) => {
    const imports = new Map();
    for (const [file, targets] of relativeImports) {
      const from = isTest(workspace, file) ? null : folderOf(file);
      const to = targets.map(folderOf).filter((folder) => folder !== null && folder !== from);
      if (from !== null) imports.set(from, [...(imports.get(from) ?? []), ...to]);
    }
    return findImportCycles(imports).map((cycle) => [...cycle, cycle[0]].join(' → '));
  };
  const isInFolder = (file) => featureOf(workspace, file) !== null;
  const cycles = new Set([
    ...cyclesAmong((file) =>
      isInFolder(file) ? path.posix.dirname(file).slice(`${workspace}/src/`.length) : null,
    ),
    ...cyclesAmong((file) => featureOf(workspace, file)),
  ]);
  return [...cycles].map((cycle) => `${workspace}/src: its folders import each other: ${cycle}`);
}

function checkFile(workspace, file, text, { module, comments, program }, imports) {
  const test = isTest(workspace, file);

  const problems = imports.flatMap((name) =>
    name.startsWith('.')
      ? checkRelative(workspace, file, name, test)
      : checkPackage(workspace, name, test),
  );
  const stars = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ importName: { kind } }) => kind === 'All' || kind === 'AllButDefault');
  if (stars.length > 0) problems.push('exports a whole module; name what is exported');
  const lines = text.split('\n').length - 1;
  // A list of exports grows with its package, and cannot be split without a second name for the package.
  if (lines > MAX_LINES && !file.endsWith('/src/index.ts')) {
    problems.push(`has ${lines} lines; split it, at most ${MAX_LINES} are allowed`);
  }
  // Tests pass their environment to the processes they start.
  if (readsEnvironment(text, comments) && !isConfiguration(file) && !test) {
    problems.push('reads process.env; only a config.ts does');
  }
  if (REACHES_POSTGRES.test(workspace) && !test && /\bnew pg\.(Client|Pool)\(/.test(text)) {
    problems.push(
      'connects to PostgreSQL directly; use packages/postgres, which supports several hosts',
    );
  }
  if (HAS_STATEMENTS.test(workspace) && !test && FOURTH_POSITION.test(text)) {
    problems.push(
      'has a statement with more than three positional parameters; name them (named-statement.ts)',
    );
  }
  if (
    HOOK_AT_TOP_LEVEL.test(text) &&
    !/\.test\.ts$|fail-on-leak\.ts$|(screenshots|tasks)\//.test(file)
  ) {
    problems.push(
      'registers a hook when it is loaded, which a process does once; export a function',
    );
  }
  const numbering = SERVICE_CODE.test(workspace) && !test && OF_EVENT_NUMBERING.exec(text)?.[0];
  if (numbering && !NUMBERS_EVENTS.test(file)) {
    problems.push(`has “${numbering}”, which belongs in packages/database/src/messages/events`);
  }
  if (!test) {
    problems.push(...findRouteRegistrations(file, program));
    problems.push(...findVisibleStrings(file, text, program));
  }
  return problems.map((problem) => `${file}: ${problem}`);
}

function checkPackage(workspace, name, test) {
  if (name.startsWith('node:')) {
    return WITHOUT_NODE.includes(workspace) && !test
      ? [`imports ${name}, but runs in browsers`]
      : [];
  }
  if (name.startsWith(SCOPE)) {
    // Node itself allows only those paths within a package that its `exports` names.
    const entry = name.slice(SCOPE.length);
    const [imported] = entry.split('/');
    const own = workspace === `packages/${imported}`;
    const allowed = test ? [...SERVICE, 'client', 'testing'] : ALLOWED[workspace];
    return own || allowed.includes(imported) || allowed.includes(entry)
      ? []
      : [`may not import ${name}`];
  }
  return HOMES.filter(
    ({ library, homes, tests = [] }) =>
      library.test(name) && !homes.includes(workspace) && !(test && tests.includes(workspace)),
  ).map(({ homes }) => `imports ${name}, which belongs in ${homes.join(' and ')}`);
}

function checkRelative(workspace, file, name, test) {
  const target = resolveImport(file, name);
  if (!target.startsWith(`${workspace}/`)) {
    // A test may use what the scripts use.
    return test && target.startsWith('scripts/') ? [] : [`imports ${name}, outside its workspace`];
  }
  if (!test && isTest(workspace, target)) return [`imports the test file ${name}`];
  const separate = SEPARATE_FOLDERS[workspace];
  const [from, to] = [featureOf(workspace, file), featureOf(workspace, target)];
  return separate === undefined ||
    from === null ||
    to === null ||
    from === to ||
    separate.shared.includes(to)
    ? []
    : [`imports its sibling ${to}/`];
}

function resolveImport(file, name) {
  return path.posix.join(path.posix.dirname(file), name);
}

/** Returns the folder directly below `src`, or null for a file directly in `src`. */
function featureOf(workspace, file) {
  const [first, ...rest] = file.slice(`${workspace}/src/`.length).split('/');
  return file.startsWith(`${workspace}/src/`) && rest.length > 0 ? first : null;
}

function importsOf(module, text) {
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      text.slice(start, end).replaceAll(/^['"`]|['"`]$/g, ''),
    ),
  ];
}

function readsEnvironment(text, comments) {
  const code = comments.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
    text,
  );
  return /\bprocess\s*(\.\s*env\b|\[\s*['"`]env)|\benv\b[^;]*=\s*process\b|from 'node:process'/.test(
    code,
  );
}

function isConfiguration(file) {
  return path.posix.basename(file) === 'config.ts';
}

function isTest(workspace, file) {
  return (
    TEST_FOLDERS.some((folder) => file.startsWith(`${workspace}/${folder}/`)) ||
    /\.test\.tsx?$/.test(file)
  );
}

function listWorkspaces(root, kind) {
  return readdirSync(path.join(root, kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${kind}/${entry.name}`);
}

function listSources(root, workspace) {
  return ['src', ...TEST_FOLDERS].flatMap((folder) => listFolder(root, `${workspace}/${folder}`));
}

function listFolder(root, folder) {
  let entries;
  try {
    entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : listFolder(root, file);
    return /\.tsx?$/.test(entry.name) ? [file] : [];
  });
}

if (process.argv[1] === import.meta.filename) {
  const violations = findViolations(path.resolve(import.meta.dirname, '..'));
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
