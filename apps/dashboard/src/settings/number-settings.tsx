import type { PhoneNumber } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/numbers';
import { Button } from '../ui/button.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { formatFullTime, isolate } from '../ui/format.ts';
import { Phone } from '../ui/icons.ts';
import { EmptyState, FailureNotice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { AddNumber } from './add-number.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { ImportNumbers } from './numbers/import-numbers.tsx';
import { describeInbound, InboundRepair } from './numbers/inbound-repair.tsx';
import { AccountSelect } from './providers/account-select.tsx';
import { useProviders } from './providers/use-providers.ts';
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';
import { IfMay } from '../session/use-may.tsx';

export function NumberSettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const numbers = useSettingsList(workspaceId, 'numbers', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/numbers', options),
  );
  const providers = useProviders(workspaceId);
  const accounts = providers.data?.data ?? [];
  const change = useSettingsChange(
    workspaceId,
    (api, { numberId, ...body }: { numberId: string; is_default?: true; provider_id?: string }) =>
      api.request('PATCH /api/ui/workspaces/{workspaceId}/numbers/{numberId}', {
        params: { workspaceId, numberId },
        body,
      }),
  );
  const remove = useSettingsChange(workspaceId, (api, numberId: string) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/numbers/{numberId}', {
      params: { workspaceId, numberId },
    }),
  );
  return (
    <>
      <Section title={strings.numbers} about={strings.numbersAbout}>
        <ListCard
          query={numbers}
          count={strings.numberCount}
          onPage={setPage}
          toCells={(each) => [
            formatPhone(each.number),
            each.label,
            KINDS[each.kind],
            each.capabilities.join(', ').toUpperCase(),
            accounts.find(({ id }) => id === each.provider_id)?.name ?? '',
            formatFullTime(each.created_at),
          ]}
          empty={
            <EmptyState icon={<Phone size={20} aria-hidden />} title={strings.noNumbersYet}>
              {strings.noNumbersYetHint}
            </EmptyState>
          }
        >
          {(each) => {
            const { id, number, label, is_default, capabilities, created_at } = each;
            return (
              <ListRow
                key={id}
                title={
                  <>
                    <span className="tabular-nums">{formatPhone(number)}</span>
                    {is_default && <Tag>{strings.defaultLabel}</Tag>}
                  </>
                }
                about={
                  <>
                    {[
                      label === '' ? '' : isolate(label),
                      KINDS[each.kind],
                      capabilities.join(', ').toUpperCase(),
                      describeInbound(each, accounts),
                    ]
                      .filter((part) => part !== '')
                      .join(' · ')}
                    {' · '}
                    {strings.added(<Time at={created_at} />)}
                  </>
                }
                below={
                  <IfMay permission="change">
                    <InboundRepair workspaceId={workspaceId} number={each} accounts={accounts} />
                  </IfMay>
                }
              >
                <IfMay permission="change">
                  {accounts.length > 1 && (
                    <AccountSelect
                      aria-label={strings.providerAccountOf(number)}
                      className="field h-8 min-h-8 w-auto py-0.5"
                      accounts={accounts}
                      value={each.provider_id ?? ''}
                      disabled={change.isPending}
                      onChange={({ target }) =>
                        change.mutate({ numberId: id, provider_id: target.value })
                      }
                    />
                  )}
                  {!is_default && (
                    <Button
                      size="small"
                      disabled={change.isPending}
                      aria-label={strings.makeDefaultNamed(number)}
                      onClick={() => change.mutate({ numberId: id, is_default: true })}
                    >
                      {strings.makeDefault}
                    </Button>
                  )}
                  <ConfirmButton
                    label={actions.remove}
                    ariaLabel={strings.remove(number)}
                    title={strings.removeQuestion(formatPhone(number))}
                    onConfirm={() => remove.mutateAsync(id)}
                  >
                    {strings.removeExplained}
                  </ConfirmButton>
                </IfMay>
              </ListRow>
            );
          }}
        </ListCard>
        <FailureNotice error={change.error} />
      </Section>
      {!providers.isPending && (
        <IfMay permission="change">
          <ImportNumbers workspaceId={workspaceId} accounts={accounts} />
          <AddNumber workspaceId={workspaceId} accounts={accounts} />
        </IfMay>
      )}
    </>
  );
}

const KINDS: Record<PhoneNumber['kind'], string> = {
  long_code: '',
  toll_free: strings.tollFree,
  short_code: strings.shortCode,
  alphanumeric: strings.senderId,
};
