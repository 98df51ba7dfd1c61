// Prisma's schema engine in its WebAssembly build: the same code as the binary, which cannot be
// downloaded on a closed network. Used in development and in tests, never to migrate a database.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

const code = new URL(import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
const wasm = readFileSync(fileURLToPath(new URL('./schema_engine_bg.wasm', code)));
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
bindings.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

// Comparing two schemas needs no database, but the engine requires an adapter and queries its version
// and schema. This adapter returns empty results.
const ok = (value) => ({
  ok: true,
  value,
  map: (then) => ok(then(value)),
  flatMap: (then) => then(value),
});
const description = { provider: 'postgres', adapterName: 'none' };
const noDatabase = {
  ...description,
  connect: async () =>
    ok({
      ...description,
      getConnectionInfo: () => ok({ schemaName: 'public', supportsRelationJoins: true }),
      queryRaw: async () => ok({ columnNames: [], columnTypes: [], rows: [] }),
      executeRaw: async () => ok(0),
      dispose: async () => ok(undefined),
    }),
};

/**
 * @param {object} [adapter] a bound driver adapter factory for operations that need a database
 * @returns {Promise<import('@prisma/schema-engine-wasm').SchemaEngine>}
 */
export function createSchemaEngine(adapter = noDatabase) {
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
}

/**
 * Returns the SQL that changes one schema to another, or an empty string if they are equal.
 * @param {string} from
 * @param {string} to
 */
export async function diffSchemas(from, to) {
  const engine = await createSchemaEngine();
  const target = (content) => ({
    tag: 'schemaDatamodel',
    files: [{ path: 'schema.prisma', content }],
  });
  try {
    const { stdout, exitCode } = await engine.diff({
      from: target(from),
      to: target(to),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  } finally {
    engine.free();
  }
}
