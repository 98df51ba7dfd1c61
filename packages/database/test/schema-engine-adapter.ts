import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

const CHAR = 18;
const CHAR_ARRAY = 1002;

/**
 * Creates an adapter with which Prisma's schema engine can read a database. Prisma's adapter does not
 * support the type "char" of PostgreSQL's catalogs, which the engine needs. So these columns are
 * reported as arrays of the type, which the adapter supports, and then renamed.
 */
export function createSchemaEngineAdapter(pool: pg.Pool): object {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryArrayResult>;
  const renaming = async (...args: unknown[]) => {
    const result = await query(...args);
    for (const field of result.fields) {
      if (field.dataTypeID === CHAR) field.dataTypeID = CHAR_ARRAY;
    }
    return result;
  };
  Object.assign(pool, { query: renaming });

  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (params) => {
      const result = await queryRaw(params);
      const columnTypes = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  };
  return bindMigrationAwareSqlAdapterFactory(factory);
}
