import type { z } from 'zod';
import type { SettingKind } from './setting-kinds.ts';

/** What reads settings: the processes, and the commands of `npm run`. `doctor` reads them all. */
export type Reader =
  | 'api'
  | 'worker'
  | 'simulator'
  | 'standalone'
  | 'migrate'
  | 'after-restore'
  | 'demo-data'
  | 'retention'
  | 'backup'
  | 'restore'
  | 'rotate-secrets';

interface About<Readers extends readonly Reader[]> {
  readBy: Readers;
  /** One or two sentences in Markdown for docs/settings.md; links are relative to docs/. */
  description: string;
  /** The default where it is not a fixed value: what happens when the setting is absent. */
  absent?: string;
  /** What `npm start` uses instead of the default. */
  standalone?: string;
}

/** The one definition of a setting: everything about it is derived from this. */
export interface Declaration<
  Schema extends z.ZodType = z.ZodType,
  Field extends z.ZodType = z.ZodType,
  Readers extends readonly Reader[] = readonly Reader[],
> extends About<Readers> {
  accepts: string;
  /** From the environment's text to the value. */
  schema: Schema;
  /** The same, and what an absent variable becomes. */
  field: Field;
  /** As it would stand in the environment; null where there is none. */
  default: string | null;
  isRequired: boolean;
}

/** Declares a setting that its readers do not start without. */
export function required<Schema extends z.ZodType, const Readers extends readonly Reader[]>(
  { schema, accepts }: SettingKind<Schema>,
  about: About<Readers>,
): Declaration<Schema, Schema, Readers> {
  return { ...about, schema, accepts, field: schema, default: null, isRequired: true };
}

/** Declares a setting that may be absent. */
export function optional<Schema extends z.ZodType, const Readers extends readonly Reader[]>(
  { schema, accepts }: SettingKind<Schema>,
  about: About<Readers>,
): Declaration<Schema, z.ZodOptional<Schema>, Readers> {
  const field = schema.optional();
  return { ...about, schema, accepts, field, default: null, isRequired: false };
}

/** Declares a setting with a default, which is written as in the environment. */
export function withDefault<
  Schema extends z.ZodType<unknown, string>,
  const Readers extends readonly Reader[],
>(
  { schema, accepts }: SettingKind<Schema>,
  text: z.input<Schema>,
  about: About<Readers>,
): Declaration<Schema, z.ZodPrefault<Schema>, Readers> {
  const field = schema.prefault(text as never);
  return { ...about, schema, accepts, field, default: text, isRequired: false };
}
