import { type PhoneNumber, OK, refuse, routes } from '@switchboard/contracts';
import { type AccountAddress, type Clock, createUuidV7 } from '@switchboard/core';
import type { PhoneNumberStore, ProviderStore, StoredPhoneNumber } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { answerPage } from '../wire/answer-page.ts';
import type { InboundUrls } from './set-inbound-urls.ts';

export interface NumberRouteDependencies {
  phoneNumbers: PhoneNumberStore;
  providers: Pick<ProviderStore, 'find'>;
  inbound: Pick<InboundUrls, 'set' | 'isSet'>;
  clock: Clock;
}

const CAPABILITIES = ['sms', 'mms'];

export function registerNumberRoutes(
  registerRoute: RegisterRoute,
  { phoneNumbers, providers, inbound, clock }: NumberRouteDependencies,
): void {
  const toPhoneNumber = (address: AccountAddress, number: StoredPhoneNumber): PhoneNumber => ({
    id: number.id,
    number: number.number,
    label: number.label,
    is_default: number.isDefault,
    capabilities: number.capabilities,
    created_at: number.createdAt.toISOString(),
    inbound_wired: inbound.isSet(address, number),
  });

  async function findAddress(workspaceId: string): Promise<AccountAddress> {
    const provider = await providers.find(workspaceId);
    return { workspaceId, providerId: provider?.id ?? '' };
  }

  /** Runs before the body is read: an unknown number takes precedence over an invalid body. */
  async function requireNumber(call: {
    workspaceId: string;
    params: { numberId: string };
  }): Promise<void> {
    const found = await phoneNumbers.find(call.workspaceId, call.params.numberId);
    if (found === null) throw refuse(routes.changeNumber, 'not_found');
  }

  registerRoute(routes.listNumbers, async ({ workspaceId, query }) => {
    const address = await findAddress(workspaceId);
    return answerPage(
      query,
      (page) => phoneNumbers.list(workspaceId, page),
      (number) => toPhoneNumber(address, number),
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
        capabilities: CAPABILITIES,
        createdAt,
      },
      actor,
    );
    if (created === 'quota_exceeded') throw refuse(routes.addNumber, 'quota_exceeded');
    if (created === 'exists') throw refuse(routes.addNumber, 'already_exists');
    const inbound_wired = await inbound.set(workspaceId, created, log);
    return { ...toPhoneNumber(await findAddress(workspaceId), created), inbound_wired };
  });

  registerRoute(routes.changeNumber, {
    onRequest: requireNumber,
    async handle({ workspaceId, actor, params: { numberId }, body }) {
      const { label, is_default: isDefault } = body;
      if (label === undefined && isDefault === undefined) {
        throw refuse(routes.changeNumber, 'missing_params');
      }
      const changes = {
        ...(label !== undefined && { label }),
        ...(isDefault !== undefined && { isDefault }),
      };
      const changed = await phoneNumbers.update(workspaceId, numberId, changes, actor);
      if (changed === 'missing') throw refuse(routes.changeNumber, 'not_found');
      if (changed === 'needs_default') throw refuse(routes.changeNumber, 'invalid_state');
      return toPhoneNumber(await findAddress(workspaceId), changed);
    },
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
