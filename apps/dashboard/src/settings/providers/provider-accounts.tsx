import * as strings from '#strings/providers';

import { ListCard, Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { AccountRow } from './account-row.tsx';
import type { useProviders } from './use-providers.ts';
import { useShares } from './use-shares.ts';

/** The provider accounts of a workspace, each with its health and its share of the messages. */
export function ProviderAccounts(
  props: SectionProps & { query: ReturnType<typeof useProviders>; isOwner: boolean },
) {
  const { workspaceId, query, isOwner } = props;
  const shares = useShares(workspaceId);
  const isOnly = query.data?.data.length === 1;
  return (
    <Section
      title={strings.providerAccounts}
      about={isOnly ? strings.onlyAccountAbout : strings.accountsAbout}
    >
      <ListCard
        query={query}
        count={strings.accountCount}
        onPage={() => undefined}
        empty={null}
        toCells={({ name, type }) => [name, type]}
      >
        {(account) => (
          <AccountRow
            key={account.id}
            workspaceId={workspaceId}
            account={account}
            shares={shares}
            isOnly={isOnly}
            isOwner={isOwner}
          />
        )}
      </ListCard>
    </Section>
  );
}
