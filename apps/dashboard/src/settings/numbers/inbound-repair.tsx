import type { PhoneNumber, ProviderAccount } from '@switchboard/contracts';
import * as strings from '#strings/numbers';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { setsInbound } from '../providers/vendors.ts';
import type { SectionProps } from '../sections.ts';
import { useSettingsChange } from '../use-settings.ts';

/** An alphanumeric sender receives no messages. */
function isInboundReady({
  kind,
  inbound_wired,
}: Pick<PhoneNumber, 'kind' | 'inbound_wired'>): boolean {
  return inbound_wired || kind === 'alphanumeric';
}

/** Describes whether messages to a number arrive, as part of a sentence. */
export function describeInbound(number: PhoneNumber, accounts: readonly ProviderAccount[]): string {
  if (number.kind === 'alphanumeric') return strings.inboundNever;
  if (number.inbound_wired) return strings.inboundHere;
  return isChecked(number, accounts) ? strings.inboundElsewhere : strings.inboundUnknown;
}

/** Whether the provider reports where it sends the messages to a number. */
function isChecked({ provider_id }: PhoneNumber, accounts: readonly ProviderAccount[]): boolean {
  const account = accounts.find(({ id }) => id === provider_id);
  return account === undefined || setsInbound(account.type);
}

/** A button that configures a number’s inbound messages with the provider, and the result. */
export function InboundRepair(
  props: SectionProps & { number: PhoneNumber; accounts: readonly ProviderAccount[] },
) {
  const { workspaceId, number, accounts } = props;
  const repair = useSettingsChange(workspaceId, (api) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/numbers/{numberId}/configure-inbound', {
      params: { workspaceId, numberId: number.id },
    }),
  );
  const url = accounts.find(({ id }) => id === number.provider_id)?.webhook_urls?.inbound;
  const isRepairable = isChecked(number, accounts);
  if (isInboundReady(number) && repair.data === undefined) return null;
  return (
    <>
      {!isInboundReady(number) && (
        <Button
          size="small"
          isBusy={repair.isPending}
          aria-label={(isRepairable ? strings.repairNamed : strings.setUpInboundNamed)(
            number.number,
          )}
          onClick={() => repair.mutate(undefined)}
        >
          {isRepairable ? strings.repair : strings.setUpInbound}
        </Button>
      )}
      {(repair.data !== undefined || repair.error !== null) && (
        <div className="basis-full">
          <FailureNotice error={repair.error} />
          {repair.data !== undefined && (
            <Notice tone={repair.data.ok ? 'good' : 'wait'}>
              <span>{repair.data.detail}</span>
              {url !== undefined && repair.data.detail.includes(url) && (
                <CopyButton text={url} label={strings.copyUrlForInboundMessages} />
              )}
            </Notice>
          )}
        </div>
      )}
    </>
  );
}
