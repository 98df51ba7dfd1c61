import type { z } from 'zod';
import type { Reader } from './declare-setting.ts';
import { type InspectedSettings, inspectSettings, readSettings } from './read-settings.ts';
import { SETTINGS, type SettingName } from './settings.ts';
import { createSettingsSchema } from './settings-rules.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type All = typeof SETTINGS;

/** The names of the settings that a process reads. */
type NameFor<Process extends Reader> = {
  [Name in SettingName]: Process extends All[Name]['readBy'][number] ? Name : never;
}[SettingName];

type ShapeFor<Process extends Reader, Optional extends SettingName> = {
  [Name in NameFor<Process>]: Name extends Optional
    ? z.ZodOptional<All[Name]['schema']>
    : All[Name]['field'];
};

/** The values of a process's settings. */
export type ProcessSettings<
  Process extends Reader,
  Optional extends SettingName = never,
> = z.output<z.ZodObject<ShapeFor<Process, Optional>>>;

/**
 * Reads the settings of one process. `optional` names settings that the process does not need, although
 * they are required or have a default elsewhere.
 *
 * @throws SettingsError that names every problem
 */
export function readProcessSettings<Process extends Reader, Optional extends SettingName = never>(
  process: Process,
  env: Environment,
  { optional = [] }: { optional?: readonly Optional[] } = {},
): ProcessSettings<Process, Optional> {
  const fields = listSettings(process).map((name) => {
    const { schema, field } = SETTINGS[name];
    return [name, (optional as readonly string[]).includes(name) ? schema.optional() : field];
  });
  const shape = Object.fromEntries(fields) as ShapeFor<Process, Optional>;
  return readSettings(createSettingsSchema(shape), env);
}

/** Lists the names of the settings that a process reads. */
export function listSettings(process: Reader): SettingName[] {
  return (Object.keys(SETTINGS) as SettingName[]).filter((name) =>
    (SETTINGS[name].readBy as readonly Reader[]).includes(process),
  );
}

type AllFields = { [Name in SettingName]: All[Name]['field'] };
/** The values of all settings, with their defaults. */
export type AllSettings = z.output<z.ZodObject<AllFields>>;

/** Reads all settings. Returns the usable ones even if others are invalid. */
export function inspectAllSettings(env: Environment): InspectedSettings<AllSettings> {
  const fields = Object.entries(SETTINGS).map(([name, { field }]) => [name, field]);
  return inspectSettings(createSettingsSchema(Object.fromEntries(fields) as AllFields), env);
}
