import { ListCard, Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { useIsOwner } from '../use-is-owner.ts';
import { AccountRow } from './account-row.tsx';
import type { useProviders } from './use-providers.ts';

/** The provider accounts of a workspace. */
export function ProviderAccounts(props: SectionProps & { query: ReturnType<typeof useProviders> }) {
  const { workspaceId, query } = props;
  const isOwner = useIsOwner(workspaceId);
  return (
    <Section
      title="Provider accounts"
      about="A message takes the account of its sender, or one that the routing selects."
    >
      <ListCard query={query} one="account" onPage={() => undefined} empty={null}>
        {(account) => (
          <AccountRow
            key={account.id}
            workspaceId={workspaceId}
            account={account}
            isOwner={isOwner}
          />
        )}
      </ListCard>
    </Section>
  );
}
