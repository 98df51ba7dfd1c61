import { inviteToken } from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type BusListener, listenToBus } from '../listen-to-bus.ts';
import { type Service, ask, startService } from '../start-service.ts';
import { type WorkspaceClient, anEmail, clientOf } from '../workspace-client.ts';

export let service: Service;
export let bus: BusListener;
export let workspace: WorkspaceFixture;
export let owner: WorkspaceClient;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useMembersService(): void {
  beforeAll(async () => {
    service = await startService();
    bus = await listenToBus(service.database.url);
  });

  afterAll(async () => {
    await bus.close();
    await service.close();
  });

  beforeEach(async () => {
    workspace = await service.addWorkspace();
    owner = clientOf(service, workspace, workspace.sessionToken);
  });
}

export const signUp = (json: unknown) => ask(service.url, '/api/ui/users', { json });
export const PASSWORD = 'a new user’s password';

export const accept = (invite: string, token: string) =>
  ask(service.url, `/api/ui/invites/${invite}/accept`, { method: 'POST', token });

export const inviteSomeone = (role = 'member') => invitePerson(anEmail(), role);

export async function invitePerson(email: string, role = 'member') {
  const response = await owner('/members', { json: { email, role } });
  expect(response.status).toBe(201);
  return { email, ...inviteToken.strict().parse(response.json) };
}
