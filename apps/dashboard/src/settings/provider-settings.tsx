import * as strings from '#strings/providers';

import { LoadFailure, Notice, Skeleton } from '../ui/notice.tsx';
import { ConnectAccount } from './providers/connect-account.tsx';
import { ProviderAccounts } from './providers/provider-accounts.tsx';
import { RoutingSettings } from './providers/routing-settings.tsx';
import { useProviders } from './providers/use-providers.ts';
import { Section } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useMay } from '../session/use-may.tsx';

export function ProviderSettings({ workspaceId }: SectionProps) {
  const isOwner = useMay('manage');
  const accounts = useProviders(workspaceId, { isLive: true });
  const { data, error, refetch } = accounts;
  if (data === undefined) {
    return error === null ? (
      <Skeleton lines={4} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    );
  }
  const all = data.data;
  return (
    <>
      {all.length > 0 && (
        <ProviderAccounts workspaceId={workspaceId} query={accounts} isOwner={isOwner} />
      )}
      {isOwner ? (
        <ConnectAccount workspaceId={workspaceId} isFirst={all.length === 0} />
      ) : (
        all.length === 0 && (
          <Section title={strings.provider}>
            <Notice tone="info">{strings.noProviderYet}</Notice>
          </Section>
        )
      )}
      {all.length > 1 && (
        <RoutingSettings workspaceId={workspaceId} accounts={all} isOwner={isOwner} />
      )}
    </>
  );
}
