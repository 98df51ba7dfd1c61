import { bare, ours } from './environment.ts';
import { record, resources } from './record-outcomes.ts';

/** Records the refusals of messages that are received in test mode. */
export async function refuseInbound(): Promise<void> {
  const inbound = { json: { to: '+15550009999', from: '+15550008888', body: 'x' } };
  const ofLive = `/api/ui/workspaces/${ours.workspaceId}/test/inbound`;
  const ofTest = '/api/ui/workspaces/{workspaceId}/test/inbound';
  await record(`POST ${ofLive}`, { token: ours.sessionToken, ...inbound });
  await record(`POST ${ofTest}`, { token: ours.sessionToken, ...inbound });
  await record('POST /api/test/inbound', { token: ours.apiKey, ...inbound });
  await record('POST /api/test/inbound', { token: resources['testKey'] ?? '', ...inbound });
}

/** Records the refusals of a workspace without a provider. */
export async function refuseWithoutProvider(): Promise<void> {
  const path = `/api/ui/workspaces/${bare.workspaceId}/provider`;
  const token = bare.sessionToken;
  await record(`GET ${path}`, { token });
  await record(`DELETE ${path}`, { token });
  await record(`POST ${path}/verify`, { token });
}
