export { migrate, type MigrateOptions } from './migrations/migrate.ts';
export { MigrationError } from './migrations/migration-error.ts';
