import pg from 'pg';
import { explainRefusedCertificate } from './refused-certificate.ts';
import type { PostgresTarget } from './parse-postgres-url.ts';
import { UnnamedClient } from './unnamed-client.ts';

/**
 * What our statements and pg's parsers rely on. A database or a role may have other defaults, for example
 * `ALTER DATABASE … SET datestyle TO German`. PgBouncer keeps these parameters for each client.
 */
const EXPECTED = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
};

/** The same, for parameters that PgBouncer refuses. */
const EXPECTED_WITHOUT_PGBOUNCER = {
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  array_nulls: 'on',
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
};

/** Creates the class of clients whose sessions have the parameters that our code relies on. */
export function createSessionClass({
  isThroughPgBouncer,
  schema,
}: Pick<PostgresTarget, 'isThroughPgBouncer' | 'schema'>): typeof pg.Client {
  const Base: typeof pg.Client = isThroughPgBouncer ? UnnamedClient : pg.Client;
  const parameters = isThroughPgBouncer
    ? EXPECTED
    : { ...EXPECTED, ...EXPECTED_WITHOUT_PGBOUNCER, search_path: `"${schema}"` };

  return class SessionClient extends Base {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // Registered before pg's own listener, which rejects with the same error.
      this.connection.once('error', explainRefusedCertificate);
    }

    /** Called by pg. PostgreSQL sets the parameters before the first statement, without a round trip. */
    getStartupConf(): Record<string, string> {
      const inherited = Reflect.get(Base.prototype, 'getStartupConf') as () => object;
      return { ...inherited.call(this), ...parameters };
    }
  };
}
