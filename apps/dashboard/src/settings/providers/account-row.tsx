import type { ProviderAccount } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/providers';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Tag } from '../section.tsx';
import { useSettingsChange } from '../use-settings.ts';
import { AccountForm } from './account-form.tsx';
import { AccountProblem, AccountState } from './account-health.tsx';
import { AccountShare, findShare } from './account-share.tsx';
import type { useShares } from './use-shares.ts';
import { findVendor, nameOf } from './vendors.ts';
import { WebhookUrls } from './webhook-urls.tsx';
import { IfMay } from '../../session/use-may.tsx';

interface Change {
  name?: string;
  on_unknown?: ProviderAccount['on_unknown'];
  country?: string | null;
  credentials?: Record<string, unknown>;
  enabled?: boolean;
  is_default?: true;
}

/** A provider account with its state and the actions of an owner. */
export function AccountRow(props: {
  workspaceId: string;
  account: ProviderAccount;
  shares: ReturnType<typeof useShares>;
  /** The workspace has no other account. */
  isOnly: boolean;
  isOwner: boolean;
}) {
  const { workspaceId, account, shares, isOnly, isOwner } = props;
  const params = { workspaceId, providerId: account.id };
  const name = nameOf(account);
  const vendor = findVendor(account.type);
  const [isEditing, setEditing] = useState(false);
  const verify = useSettingsChange(workspaceId, (api) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/providers/{providerId}/verify', { params }),
  );
  const change = useSettingsChange(workspaceId, (api, body: Change) =>
    api.request('PATCH /api/ui/workspaces/{workspaceId}/providers/{providerId}', {
      params,
      body,
      // Credentials that the provider refuses must not replace working ones.
      headers: { prefer: 'handling=strict' },
    }),
  );
  const remove = useSettingsChange(workspaceId, (api) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/providers/{providerId}', { params }),
  );
  const isBusy = change.isPending || verify.isPending;

  return (
    <li className="space-y-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
        <bdi>{name}</bdi>
        {account.is_default && !isOnly && <Tag>{strings.defaultLabel}</Tag>}
        <AccountState status={account.status} lastHour={findShare(shares.hour, account.id)} />
      </div>
      <p className="text-[0.8125rem] text-faint [overflow-wrap:anywhere]">{describe(account)}</p>
      <AccountShare providerId={account.id} shares={shares} isOnly={isOnly} />
      <AccountProblem {...account} />
      {vendor?.webhookStep !== undefined && isOwner && (
        <details>
          <summary className="cursor-pointer text-[0.8125rem] font-medium text-soft">
            {strings.webhookUrlsFor(vendor.name)}
          </summary>
          <div className="mt-2">
            <WebhookUrls account={account} />
          </div>
        </details>
      )}
      {verify.data !== undefined && (
        <Notice tone={verify.data.ok ? 'good' : 'bad'}>{verify.data.detail}</Notice>
      )}
      {!isEditing && <FailureNotice error={verify.error ?? change.error} />}
      <div className="-ml-2.5 flex flex-wrap">
        <IfMay permission="change">
          <Button
            kind="quiet"
            size="small"
            disabled={isBusy}
            isBusy={verify.isPending}
            aria-label={strings.verifyNamed(name)}
            onClick={() => verify.mutate(undefined)}
          >
            {strings.verify}
          </Button>
        </IfMay>
        {isOwner && (
          <>
            {vendor !== null && (
              <Button
                kind="quiet"
                size="small"
                aria-label={strings.changeNamed(name)}
                onClick={() => {
                  change.reset();
                  setEditing(true);
                }}
              >
                {actions.change}
              </Button>
            )}
            {!account.is_default && (
              <Button
                kind="quiet"
                size="small"
                disabled={isBusy}
                aria-label={strings.makeDefaultNamed(name)}
                onClick={() => change.mutate({ is_default: true })}
              >
                {strings.makeDefault}
              </Button>
            )}
            <Button
              kind="quiet"
              size="small"
              disabled={isBusy}
              aria-label={(account.enabled ? strings.switchOffNamed : strings.switchOnNamed)(name)}
              onClick={() => change.mutate({ enabled: !account.enabled })}
            >
              {account.enabled ? strings.switchOff : strings.switchOn}
            </Button>
            <ConfirmButton
              label={actions.remove}
              ariaLabel={strings.remove(name)}
              title={strings.removeQuestion(name)}
              onConfirm={() => remove.mutateAsync(undefined)}
            >
              {isOnly ? strings.removeOnlyAccount : strings.removeOneOfAccounts}
            </ConfirmButton>
          </>
        )}
      </div>
      {isEditing && vendor !== null && (
        <Dialog title={strings.changeNamed(name)} onClose={() => setEditing(false)}>
          <AccountForm
            vendor={vendor}
            current={account}
            error={change.error}
            isPending={change.isPending}
            submitLabel={strings.saveAccount}
            onSubmit={({ credentials, ...body }) =>
              change.mutate(
                { ...body, ...(credentials !== undefined && { credentials }) },
                { onSuccess: () => setEditing(false) },
              )
            }
          />
        </Dialog>
      )}
    </li>
  );
}

function describe({ type, credentials, ...account }: ProviderAccount): string {
  const vendor = findVendor(type);
  const isText = (name: string) =>
    vendor?.fields.find((field) => field.name === name)?.kind !== 'choice';
  const isShown = (name: string) => vendor?.summary?.includes(name) ?? true;
  const texts = Object.entries(credentials).map(([name, value]) =>
    typeof value !== 'string' || !isShown(name) || value === '' || !isText(name)
      ? null
      : name.endsWith('_last4')
        ? `•••• ${value}`
        : value,
  );
  return [account.name === '' ? null : (vendor?.name ?? type), ...texts]
    .filter((part) => part !== null)
    .join(' · ');
}
