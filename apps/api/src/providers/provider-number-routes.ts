import { type ProviderNumber, refuse, routes } from '@switchboard/contracts';
import { AppError, type ListedNumber } from '@switchboard/core';
import type { PhoneNumberStore } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import type { OpenProvider } from '../open-provider.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface ProviderNumberRouteDependencies {
  phoneNumbers: Pick<PhoneNumberStore, 'findIds'>;
  openProvider: OpenProvider;
  publicUrl: string;
}

const route = routes.listProviderNumbers;

/** Registers the route that lists the numbers of a provider account. */
export function registerProviderNumberRoutes(
  registerRoute: RegisterRoute,
  { phoneNumbers, openProvider, publicUrl }: ProviderNumberRouteDependencies,
): void {
  registerRoute(route, async ({ workspaceId, params: { providerId }, query }) => {
    const opened = await openProvider(workspaceId, providerId);
    if (opened === null) throw refuse(route, 'not_found');
    const { adapter, account } = opened;
    if (adapter.listNumbers === null) throw refuse(route, 'invalid_state');
    const url = adapter.webhooks?.toInboundUrl(publicUrl, { workspaceId, providerId }) ?? '';
    const listed = await adapter.listNumbers(account, url);
    // An outage of the provider is not a failure of this service, so the response is not a 5xx.
    if (listed.kind !== 'read') throw new AppError('invalid_state', listed.detail);
    const { numbers, isComplete } = listed;
    let ids: ReadonlyMap<string, string> = new Map();
    const page = await respondWithPage(
      query,
      async ({ number, size }) => {
        const items = numbers.slice((number - 1) * size, number * size);
        ids = await phoneNumbers.findIds(
          workspaceId,
          items.map((item) => item.number),
        );
        return { items, total: numbers.length };
      },
      (item) => toProviderNumber(item, ids.get(item.number) ?? null),
    );
    return { ...page, is_complete: isComplete };
  });
}

function toProviderNumber(listed: ListedNumber, numberId: string | null): ProviderNumber {
  const { number, kind, label, capabilities, inbound, inboundUrl } = listed;
  return {
    number,
    kind,
    label,
    capabilities: [...capabilities],
    number_id: numberId,
    inbound,
    // The rest of another service's URL may be secret.
    inbound_host: inboundUrl !== null && URL.canParse(inboundUrl) ? new URL(inboundUrl).host : null,
  };
}
