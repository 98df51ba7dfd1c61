import { type PhoneNumber, OK, refuse, routes } from '@switchboard/contracts';
import { AppError, type Clock, createUuidV7 } from '@switchboard/core';
import type { PhoneNumberStore, ProviderStore, StoredPhoneNumber } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import { describeInbound } from './describe-inbound.ts';
import type { InboundUrls } from './set-inbound-urls.ts';

export interface NumberRouteDependencies {
  phoneNumbers: PhoneNumberStore;
  providers: Pick<ProviderStore, 'find'>;
  inbound: Pick<InboundUrls, 'set' | 'isSet' | 'setAllLater'>;
  clock: Clock;
}

interface Workspace {
  workspaceId: string;
  /** The default provider account. */
  defaultId: string | null;
}

const CAPABILITIES = ['sms', 'mms'];

export function registerNumberRoutes(
  registerRoute: RegisterRoute,
  { phoneNumbers, providers, inbound, clock }: NumberRouteDependencies,
): void {
  const toPhoneNumber = (
    { workspaceId, defaultId }: Workspace,
    number: StoredPhoneNumber,
  ): PhoneNumber => {
    const providerId = number.providerId ?? defaultId;
    return {
      id: number.id,
      number: number.number,
      kind: number.kind,
      provider_id: providerId,
      label: number.label,
      is_default: number.isDefault,
      capabilities: number.capabilities,
      created_at: number.createdAt.toISOString(),
      inbound_wired: inbound.isSet({ workspaceId, providerId: providerId ?? '' }, number),
    };
  };

  async function readWorkspace(workspaceId: string): Promise<Workspace> {
    return { workspaceId, defaultId: (await providers.find(workspaceId))?.id ?? null };
  }

  /** Runs before the body is read: an unknown number takes precedence over an invalid body. */
  async function requireNumber(call: {
    workspaceId: string;
    params: { numberId: string };
  }): Promise<void> {
    await findNumber(call.workspaceId, call.params.numberId);
  }

  async function findNumber(workspaceId: string, id: string): Promise<StoredPhoneNumber> {
    const found = await phoneNumbers.find(workspaceId, id);
    if (found === null) throw refuse(routes.changeNumber, 'not_found');
    return found;
  }

  registerRoute(routes.listNumbers, async ({ workspaceId, query }) => {
    const workspace = await readWorkspace(workspaceId);
    return respondWithPage(
      query,
      (page) => phoneNumbers.list(workspaceId, page, query.number),
      (number) => toPhoneNumber(workspace, number),
    );
  });

  registerRoute(routes.addNumber, async ({ workspaceId, actor, body, log }) => {
    const createdAt = new Date(clock.now());
    const created = await phoneNumbers.create(
      workspaceId,
      {
        id: createUuidV7(createdAt.getTime()),
        number: body.number,
        label: body.label ?? '',
        isDefault: body.is_default ?? false,
        capabilities: body.capabilities ?? CAPABILITIES,
        createdAt,
        ...(body.provider_id !== undefined && { providerId: body.provider_id }),
        ...(body.kind !== undefined && { kind: body.kind }),
      },
      actor,
    );
    if (created === 'quota_exceeded') throw refuse(routes.addNumber, 'quota_exceeded');
    if (created === 'exists') throw refuse(routes.addNumber, 'already_exists');
    if (created === 'unknown_provider') throw unknownProvider();
    const { result } = await inbound.set(workspaceId, created, log);
    const added = toPhoneNumber(await readWorkspace(workspaceId), created);
    return { ...added, inbound_wired: result === 'configured' };
  });

  registerRoute(routes.changeNumber, {
    onRequest: requireNumber,
    async handle({ workspaceId, actor, params: { numberId }, body, log }) {
      const { label, is_default: isDefault, provider_id: providerId } = body;
      if (label === undefined && isDefault === undefined && providerId === undefined) {
        throw refuse(routes.changeNumber, 'missing_params');
      }
      const changes = {
        ...(label !== undefined && { label }),
        ...(isDefault !== undefined && { isDefault }),
        ...(providerId !== undefined && { providerId }),
      };
      const changed = await phoneNumbers.update(workspaceId, numberId, changes, actor);
      if (changed === 'missing') throw refuse(routes.changeNumber, 'not_found');
      if (changed === 'needs_default') throw refuse(routes.changeNumber, 'invalid_state');
      if (changed === 'unknown_provider') throw unknownProvider();
      if (providerId !== undefined) inbound.setAllLater(workspaceId, log, providerId);
      return toPhoneNumber(await readWorkspace(workspaceId), changed);
    },
  });

  registerRoute(routes.configureInbound, async ({ workspaceId, params, log }) => {
    const number = await findNumber(workspaceId, params.numberId);
    const configuration = await inbound.set(workspaceId, number, log);
    return {
      ok: configuration.result === 'configured',
      detail: describeInbound(configuration),
    };
  });

  registerRoute(routes.removeNumber, {
    onRequest: requireNumber,
    async handle({ workspaceId, actor, params: { numberId } }) {
      const removed = await phoneNumbers.remove(workspaceId, numberId, actor);
      if (!removed) throw refuse(routes.removeNumber, 'not_found');
      return OK;
    },
  });
}

function unknownProvider(): AppError {
  return new AppError(
    'invalid_params',
    '`provider_id` must be the `id` of a provider of the workspace',
  );
}
