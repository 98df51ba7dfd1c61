import type { Provider } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { ApiError } from '../api/api-error.ts';
import { queryKeys } from '../api/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { formatFullTime } from '../ui/format.ts';
import { FailureNotice, LoadFailure, Notice, Skeleton } from '../ui/notice.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { ProviderForm } from './provider-form.tsx';
import { AddAccount } from './providers/add-account.tsx';
import { ProviderAccounts } from './providers/provider-accounts.tsx';
import { RoutingSettings } from './providers/routing-settings.tsx';
import { useProviders } from './providers/use-providers.ts';
import { Section } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useIsOwner } from './use-is-owner.ts';
import { useSettingsChange } from './use-settings.ts';

export function ProviderSettings({ workspaceId }: SectionProps) {
  const api = useApi();
  const isOwner = useIsOwner(workspaceId);
  const [isEditing, setEditing] = useState(false);
  const [isStored, setStored] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.settings(workspaceId, 'provider'),
    queryFn: async () => {
      try {
        const provider = await api.request('GET /api/ui/workspaces/{workspaceId}/provider', {
          params: { workspaceId },
        });
        return { provider };
      } catch (failure) {
        if (failure instanceof ApiError && failure.code === 'not_found') return { provider: null };
        throw failure;
      }
    },
  });

  const accounts = useProviders(workspaceId);

  if (data === undefined || accounts.data === undefined) {
    const failure = error ?? accounts.error;
    return failure === null ? (
      <Skeleton lines={4} />
    ) : (
      <LoadFailure
        error={failure}
        onRetry={() => {
          void refetch();
          void accounts.refetch();
        }}
      />
    );
  }
  const { provider } = data;
  const all = accounts.data.data;
  return (
    <>
      {all.length > 1 || all.some(({ type }) => type !== 'twilio') ? (
        <ProviderAccounts workspaceId={workspaceId} query={accounts} />
      ) : (
        <Section
          title="Provider"
          about="The account that sends and receives this workspace’s messages."
        >
          {provider !== null && !isEditing ? (
            <Configured
              workspaceId={workspaceId}
              provider={provider}
              isOwner={isOwner}
              verifyNow={isStored}
              onEdit={() => setEditing(true)}
            />
          ) : isOwner ? (
            <ProviderForm
              workspaceId={workspaceId}
              current={provider}
              onDone={(hasStored) => {
                setEditing(false);
                setStored(hasStored);
              }}
            />
          ) : (
            <Notice tone="info">Only an owner can connect a provider.</Notice>
          )}
        </Section>
      )}
      {isOwner && <AddAccount workspaceId={workspaceId} isFirst={all.length === 0} />}
      {all.length > 1 && (
        <RoutingSettings workspaceId={workspaceId} accounts={all} isOwner={isOwner} />
      )}
    </>
  );
}

function Configured(props: {
  workspaceId: string;
  provider: Provider;
  isOwner: boolean;
  /** Set right after new credentials are stored, to show whether the provider accepts them. */
  verifyNow: boolean;
  onEdit(): void;
}) {
  const { workspaceId, provider, isOwner, verifyNow, onEdit } = props;
  const verify = useSettingsChange(workspaceId, (api) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/provider/verify', {
      params: { workspaceId },
    }),
  );
  const { mutate: verifyAccount } = verify;
  useEffect(() => {
    if (verifyNow) verifyAccount(undefined);
  }, [verifyNow, verifyAccount]);
  const remove = useSettingsChange(workspaceId, (api) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/provider', { params: { workspaceId } }),
  );
  return (
    <div className="card space-y-4 p-4">
      {provider.status === 'credentials_refused' && (
        <Notice tone="bad">
          The provider refuses these credentials
          {provider.status_since !== null && ` since ${formatFullTime(provider.status_since)}`}. No
          message is sent until you enter new ones. {provider.status_detail}
        </Notice>
      )}
      {provider.status === 'disabled' && (
        <Notice tone="info">An owner has switched this account off. It sends no messages.</Notice>
      )}
      {provider.status === 'failing' && (
        <Notice tone="bad">
          The provider has not responded
          {provider.status_since !== null && ` since ${formatFullTime(provider.status_since)}`}.
          Messages are queued and sent when it responds again. {provider.status_detail}
        </Notice>
      )}
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <Fact name="Account SID">
          <code className="font-mono text-xs [overflow-wrap:anywhere]">{provider.account_sid}</code>
        </Fact>
        <Fact name="Auth token">•••• {provider.auth_token_last4}</Fact>
        <Fact name="Messaging service">{provider.messaging_service_sid ?? 'None'}</Fact>
        <Fact name="If the outcome stays unknown">
          {provider.on_unknown === 'resend' ? 'Check, then send once more' : 'Mark as failed'}
        </Fact>
      </dl>
      {verify.data !== undefined && (
        <Notice tone={verify.data.ok ? 'good' : 'bad'}>{verify.data.detail}</Notice>
      )}
      <FailureNotice error={verify.error} />
      <div className="flex flex-wrap gap-2">
        <Button disabled={verify.isPending} onClick={() => verify.mutate(undefined)}>
          {verify.isPending ? 'Verifying…' : 'Verify'}
        </Button>
        {isOwner && (
          <>
            <Button onClick={onEdit}>Change</Button>
            <ConfirmButton
              label="Disconnect"
              title="Disconnect the provider?"
              onConfirm={() => remove.mutateAsync(undefined)}
            >
              No message can be sent until you connect another provider. The statuses of messages
              that are already sent are still updated as far as possible without credentials.
            </ConfirmButton>
          </>
        )}
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-[0.8125rem] text-faint">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
