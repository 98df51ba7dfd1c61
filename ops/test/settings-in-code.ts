import { readFileSync } from 'node:fs';
import path from 'node:path';
import { settingFields } from '../../packages/runtime/src/settings.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export function readRootFile(name: string): string {
  return readFileSync(path.join(ROOT, name), 'utf8');
}

/** The names of the settings that an app reads: those that its config.ts speaks of. */
export function settingsOf(app: string): string[] {
  const source = readRootFile(`apps/${app}/src/config.ts`).replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const words = source.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)*\b/g) ?? [];
  return [...new Set(words)].filter((word) => word.includes('_') || word in settingFields);
}

/** `absent`: it has no default. `required`: nothing starts without it. */
export function defaultOf(name: string): { kind: 'required' | 'absent' } | { value: string } {
  const field = settingFields[name as keyof typeof settingFields];
  const parsed = field.safeParse(undefined);
  if (!parsed.success) return { kind: 'required' };
  const { data } = parsed;
  if (data === undefined) return { kind: 'absent' };
  return { value: typeof data === 'object' ? Object.values(data).join() : String(data) };
}
