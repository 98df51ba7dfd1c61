export type { PostgresBinaries } from './binaries.ts';
export { chooseLauncher } from './choose-launcher.ts';
export { findFreePort, isPortFree } from './free-port.ts';
export { FolderInUseError, type FolderLock, findFolderOwner, lockFolder } from './lock-folder.ts';
export { identifyProcess } from './process-identity.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
export { startGuard } from './start-guard.ts';
export { stopProcess } from './stop-process.ts';
export { stopSurvivor } from './stop-survivor.ts';
export { whenParentExits } from './when-parent-exits.ts';
