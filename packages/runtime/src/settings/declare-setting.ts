import type { z } from 'zod';
import type { SettingKind } from './setting-kinds.ts';

/**
 * The readers of settings: the processes and the commands of `npm run`. `doctor` reads all settings.
 */
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
  | 'rotate-secrets'
  | 'reset-password'
  | 'sign-in-link';

interface About<Readers extends readonly Reader[]> {
  readBy: Readers;
  /** One or two sentences in Markdown for docs/settings.md; links are relative to docs/. */
  description: string;
  /** What happens without the setting, if its default is not a fixed value. */
  absent?: string;
  /** The value that `npm start` uses instead of the default. */
  standalone?: string;
}

/** The single definition of a setting. Everything else about the setting is derived from it. */
export interface Declaration<
  Schema extends z.ZodType = z.ZodType,
  Field extends z.ZodType = z.ZodType,
  Readers extends readonly Reader[] = readonly Reader[],
> extends About<Readers> {
  accepts: string;
  /** Parses the text of the environment. */
  schema: Schema;
  /** The same schema, which also handles an absent variable. */
  field: Field;
  /** The default as it would be in the environment; null if there is none. */
  default: string | null;
  isRequired: boolean;
}

/** Declares a setting that is required: its readers do not start without it. */
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
