import { useState } from 'react';
import * as strings from '#strings/opt-outs';
import { PhoneInput } from '../phone/phone-input.tsx';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { formatFullTime } from '../ui/format.ts';
import { Ban } from '../ui/icons.ts';
import { EmptyState, FailureNotice } from '../ui/notice.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { KeywordReplySettings } from './keyword-reply-settings.tsx';
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';
import { IfMay } from '../session/use-may.tsx';

/** Describes a known reason. Others are returned as stored, for example the keyword received. */
function describeReason(reason: string): string {
  if (reason === 'manual') return strings.addedHere;
  // The provider's error code follows.
  return reason.startsWith('provider ') ? strings.reportedByProvider : reason;
}

export function OptOutSettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const optOuts = useSettingsList(workspaceId, 'opt-outs', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/opt-outs', options),
  );
  const remove = useSettingsChange(workspaceId, (api, number: string) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/opt-outs/{number}', {
      params: { workspaceId, number },
    }),
  );
  return (
    <>
      <Section title={strings.optOuts} about={strings.optOutsAbout}>
        <ListCard
          query={optOuts}
          count={strings.numberCount}
          onPage={setPage}
          toCells={({ number, reason, created_at }) => [
            formatPhone(number),
            describeReason(reason),
            formatFullTime(created_at),
          ]}
          empty={
            <EmptyState icon={<Ban size={20} aria-hidden />} title={strings.noOptOuts}>
              {strings.noOptOutsHint}
            </EmptyState>
          }
        >
          {({ number, reason, created_at }) => (
            <ListRow
              key={number}
              title={
                <>
                  <span className="tabular-nums">{formatPhone(number)}</span>
                  <Tag>{describeReason(reason)}</Tag>
                </>
              }
              about={strings.since(formatFullTime(created_at))}
            >
              <IfMay permission="change">
                <ConfirmButton
                  label={strings.allowAgain}
                  ariaLabel={strings.allowAgainNamed(number)}
                  title={strings.sendToAgain(formatPhone(number))}
                  onConfirm={() => remove.mutateAsync(number)}
                >
                  {strings.sendToAgainExplained}
                </ConfirmButton>
              </IfMay>
            </ListRow>
          )}
        </ListCard>
      </Section>
      <IfMay permission="change">
        <AddOptOut workspaceId={workspaceId} />
      </IfMay>
      <KeywordReplySettings workspaceId={workspaceId} />
    </>
  );
}

function AddOptOut({ workspaceId }: SectionProps) {
  const [number, setNumber] = useState('');
  const [formKey, setFormKey] = useState(0);
  const add = useSettingsChange(workspaceId, (api, body: { number: string }) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/opt-outs', {
      params: { workspaceId },
      body,
    }),
  );
  return (
    <Section title={strings.addANumber} about={strings.addNumberAbout}>
      <Form
        className="card space-y-4 p-4"
        error={add.error}
        onSubmit={() => {
          add.mutate(
            { number },
            {
              onSuccess: () => {
                setNumber('');
                setFormKey((last) => last + 1);
              },
            },
          );
        }}
      >
        <PhoneInput
          key={formKey}
          label={strings.number}
          name="number"
          value={number}
          onChange={setNumber}
        />
        <FailureNotice error={add.error} />
        <Button type="submit" kind="primary" isBusy={add.isPending}>
          {strings.optOut}
        </Button>
      </Form>
    </Section>
  );
}
