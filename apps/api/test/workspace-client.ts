import { randomBytes } from 'node:crypto';
import type { Role } from '@switchboard/core';
import type { WorkspaceFixture } from '@switchboard/testing';
import { expect } from 'vitest';
import { type ApiResponse, type AskOptions, type Service, ask } from './start-service.ts';

export type WorkspaceClient = (path: string, options?: AskOptions) => Promise<ApiResponse>;

/** Creates a client that sends requests below a workspace's path with a session. */
export function clientOf(
  service: Service,
  { workspaceId }: Pick<WorkspaceFixture, 'workspaceId'>,
  token: string,
): WorkspaceClient {
  return (path, options) =>
    ask(service.url, `/api/ui/workspaces/${workspaceId}${path}`, { token, ...options });
}

export interface Person {
  userId: string;
  email: string;
  password: string;
  token: string;
  client: WorkspaceClient;
}

export function anEmail(): string {
  return `person-${randomBytes(6).toString('hex')}@example.com`;
}

/** Invites a person to the workspace and signs them up through the API. */
export async function addPerson(
  service: Service,
  workspace: WorkspaceFixture,
  role: Role,
): Promise<Person> {
  const email = anEmail();
  const password = 'a person’s password';
  const owner = clientOf(service, workspace, workspace.sessionToken);
  const invited = await owner('/members', { json: { email, role } });
  expect(invited.status).toBe(201);
  const signedUp = await ask(service.url, '/api/ui/users', {
    json: { email, password, name: 'Person', invite_token: invited.json?.['invite_token'] },
  });
  expect(signedUp.status).toBe(201);
  const { user, token } = signedUp.json as { user: { id: string }; token: string };
  return { userId: user.id, email, password, token, client: clientOf(service, workspace, token) };
}

/** Returns the rows in the response of a list. */
export function dataOf(response: ApiResponse): Record<string, unknown>[] {
  expect(response.status).toBe(200);
  return response.json?.['data'] as Record<string, unknown>[];
}
