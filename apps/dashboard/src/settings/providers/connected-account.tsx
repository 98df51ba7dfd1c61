import type { ProviderAccount } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import * as actions from '#strings/actions';
import * as strings from '#strings/providers';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { SectionProps } from '../sections.ts';
import { findVendor, listsNumbers, nameOf } from './vendors.ts';
import { WebhookUrls } from './webhook-urls.tsx';

/** The account that was just connected, and the provider’s response to its credentials. */
export interface Connected {
  account: ProviderAccount;
  check: { ok: boolean; detail: string };
}

/** The steps after an account is connected: the webhook URLs, then its numbers. */
export function ConnectedAccount(props: SectionProps & { connected: Connected; onDone(): void }) {
  const { workspaceId, connected, onDone } = props;
  const { account, check } = connected;
  const vendor = findVendor(account.type);
  return (
    <div className="space-y-4">
      <Notice tone={check.ok ? 'good' : 'wait'}>
        {strings.isConnected(nameOf(account))} {check.detail}
      </Notice>
      {vendor?.webhookStep !== undefined && (
        <div>
          <h3 className="mb-1 font-semibold">{strings.enterWebhookUrls}</h3>
          <WebhookUrls account={account} />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Link
          to="/w/$workspaceId/settings/$section"
          params={{ workspaceId, section: 'numbers' }}
          className={buttonClass({ kind: 'primary' })}
        >
          {listsNumbers(account) ? strings.chooseItsNumbers : strings.addItsNumbers}
        </Link>
        <Button onClick={onDone}>{actions.done}</Button>
      </div>
    </div>
  );
}
