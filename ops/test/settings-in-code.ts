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

/** What the commands of `npm run` read together. */
const COMMANDS: readonly Reader[] = [
  'migrate',
  'after-restore',
  'demo-data',
  'retention',
  'rotate-secrets',
  'backup',
  'restore',
];

/** The names of the settings that an app reads. */
export function settingsOf(app: string): string[] {
  const readers = app === 'cli' ? COMMANDS : [app as Reader];
  return [...new Set(readers.flatMap(listSettings))];
}

/** `absent`: it has no default. `required`: nothing starts without it. */
export function defaultOf(name: string): { kind: 'required' | 'absent' } | { value: string } {
  const { isRequired, default: value } = SETTINGS[name as SettingName];
  if (isRequired) return { kind: 'required' };
  return value === null ? { kind: 'absent' } : { value };
}
