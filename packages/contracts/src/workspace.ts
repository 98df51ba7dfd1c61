import { AppError, ENCODING_CHOICES, type EncodingChoice } from '@switchboard/core';
import { z } from 'zod';
import { role } from './member.ts';
import { mode } from './mode.ts';
import { pageOf } from './page.ts';
import { parseValue } from './parse-request.ts';
import { country, nameUpTo, text } from './text.ts';
import { timestamp } from './timestamp.ts';

const WORKSPACE_NAME_MAX_CHARACTERS = 100;

export const INVALID_NAME = `\`name\` must be a string of 1 to ${WORKSPACE_NAME_MAX_CHARACTERS} characters`;

export const INVALID_COUNTRY =
  '`country` must be the ISO 3166 alpha-2 code of a country, such as US, in capital letters';

const workspaceName = nameUpTo(WORKSPACE_NAME_MAX_CHARACTERS);

const chosenCountry = country()
  .nullish()
  .describe(
    'How numbers without a country code are read, in the dashboard and where a provider account has no country of its own. Null: not chosen',
  );

export const createWorkspaceRequest = z
  .object({ name: workspaceName, country: chosenCountry })
  .meta({ id: 'CreateWorkspaceRequest' });

const requireSecondFactor = z
  .boolean('must be true or false')
  .nullish()
  .describe(
    'Whether members without a second factor are refused. Only an owner can change it, and only one with a second factor can turn it on',
  );

const encoding = z
  .enum(ENCODING_CHOICES, 'must be as_is or prefer_gsm7')
  .nullish()
  .describe(
    'What happens to the texts of sends without `encoding` and of replies to keywords: `as_is`, or `prefer_gsm7` to replace typographic characters where that keeps a text in GSM-7',
  );

export const changeWorkspaceRequest = z
  .object({
    name: workspaceName.optional(),
    country: chosenCountry,
    require_second_factor: requireSecondFactor,
    encoding,
  })
  .meta({ id: 'ChangeWorkspaceRequest' });

export const closeWorkspaceRequest = z
  .object({ name: text().describe('The name of the workspace, as a confirmation') })
  .meta({ id: 'CloseWorkspaceRequest' });

const fields = z.object({
  id: z.uuid(),
  name: z.string(),
  mode,
  live_workspace_id: z
    .uuid()
    .describe(
      'The workspace whose members use this one: the `id` itself, except for a test workspace',
    ),
  country: z
    .string()
    .nullable()
    .describe('How numbers without a country code are read. Null: not chosen'),
  require_second_factor: z
    .boolean()
    .describe('Whether members without a second factor are refused. API keys are not concerned'),
  encoding: z
    .enum(ENCODING_CHOICES)
    .describe('What happens to the texts of sends without `encoding` and of replies to keywords'),
  created_at: timestamp,
  provider_configured: z.boolean(),
  default_number: z.string().nullable(),
});

export const workspace = fields.meta({ id: 'Workspace' });

/** A workspace in a user's list of workspaces. */
export const memberWorkspace = fields.extend({ role }).meta({ id: 'MemberWorkspace' });

export const workspaceList = pageOf(memberWorkspace).meta({ id: 'WorkspaceList' });

export type MemberWorkspace = z.infer<typeof memberWorkspace>;
export type Workspace = z.infer<typeof workspace>;

/** Parses the request for a new workspace. Any error of the name, including its absence, is `invalid_name`. */
export function parseCreateWorkspace(body: unknown): {
  name: string;
  country?: string | null | undefined;
} {
  return { name: readName(body), ...readCountry(body) };
}

/** Parses a change of a workspace. Without another field, a name is required. */
export function parseChangeWorkspace(body: unknown): {
  name?: string;
  country?: string | null | undefined;
  require_second_factor?: boolean;
  encoding?: EncodingChoice;
} {
  const chosen = { ...readCountry(body), ...readSecondFactor(body), ...readEncoding(body) };
  const isAbsent = readField(body, 'name') == null && Object.keys(chosen).length > 0;
  return { ...(!isAbsent && { name: readName(body) }), ...chosen };
}

function readSecondFactor(body: unknown): { require_second_factor?: boolean } {
  const given = readField(body, 'require_second_factor');
  if (given == null) return {};
  const { require_second_factor: required } = parseValue(
    z.object({ require_second_factor: requireSecondFactor }),
    { require_second_factor: given },
  );
  return { ...(required != null && { require_second_factor: required }) };
}

function readEncoding(body: unknown): { encoding?: EncodingChoice } {
  const given = readField(body, 'encoding');
  if (given == null) return {};
  const { encoding: chosen } = parseValue(z.object({ encoding }), { encoding: given });
  return { ...(chosen != null && { encoding: chosen }) };
}

function readName(body: unknown): string {
  const result = workspaceName.safeParse(readField(body, 'name'));
  if (!result.success) throw new AppError('invalid_name', INVALID_NAME);
  return result.data;
}

function readCountry(body: unknown): { country?: string | null | undefined } {
  const given = readField(body, 'country');
  return given === undefined
    ? {}
    : parseValue(z.object({ country: chosenCountry }), { country: given });
}

function readField(body: unknown, name: string): unknown {
  const hasField = typeof body === 'object' && body !== null && Object.hasOwn(body, name);
  return hasField ? Reflect.get(body, name) : undefined;
}
