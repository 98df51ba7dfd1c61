export {
  createWorkspaceFixture,
  type WorkspaceFixture,
  type WorkspaceFixtureOptions,
} from './create-workspace-fixture.ts';
export { createTestDatabase, type TestDatabase } from './postgres/create-test-database.ts';
export { type PostgresServer, startPostgres } from './postgres/start-postgres.ts';
export { startApi, startSimulator, startWorker, TEST_SECRET_KEY } from './processes/start-app.ts';
export {
  type ChildExit,
  type ChildOptions,
  type ChildProcess,
  startChild,
} from './processes/start-child.ts';
export { createTestRedis, type TestRedis } from './redis/create-test-redis.ts';
export { type RedisServer, startRedis } from './redis/start-redis.ts';
export { findRedisServer } from './programs/find-program.ts';
