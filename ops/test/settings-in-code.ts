import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Reader,
  SETTINGS,
  type SettingName,
  listSettings,
} from '../../packages/runtime/src/index.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export function readRootFile(name: string): string {
  return readFileSync(path.join(ROOT, name), 'utf8');
}

/** The settings of all commands of `npm run`. */
const COMMANDS: readonly Reader[] = [
  'migrate',
  'after-restore',
  'demo-data',
  'retention',
  'rotate-secrets',
  'reset-password',
  'backup',
  'restore',
];

/** Returns the names of the settings that an app reads. */
export function settingsOf(app: string): string[] {
  const readers = app === 'cli' ? COMMANDS : [app as Reader];
  return [...new Set(readers.flatMap(listSettings))];
}

/** Returns the default of a setting. `absent`: it has none. `required`: no process starts without it. */
export function defaultOf(name: string): { kind: 'required' | 'absent' } | { value: string } {
  const { isRequired, default: value } = SETTINGS[name as SettingName];
  if (isRequired) return { kind: 'required' };
  return value === null ? { kind: 'absent' } : { value };
}
