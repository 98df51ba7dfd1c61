import { useState } from 'react';
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

/** Describes a known reason. Others are returned as stored, for example the keyword received. */
function describeReason(reason: string): string {
  if (reason === 'manual') return 'Added here';
  // The provider's error code follows.
  return reason.startsWith('provider ') ? 'Reported by the provider' : reason;
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
      <Section
        title="Opt-outs"
        about="No message is sent to these numbers. A number that sends STOP is added, and a number that sends START is removed."
      >
        <ListCard
          query={optOuts}
          one="number"
          onPage={setPage}
          empty={
            <EmptyState icon={<Ban size={20} aria-hidden />} title="No opt-outs">
              Numbers that send STOP appear here.
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
              about={`Since ${formatFullTime(created_at)}`}
            >
              <ConfirmButton
                label="Allow again"
                ariaLabel={`Allow ${number} again`}
                title={`Send to ${formatPhone(number)} again?`}
                onConfirm={() => remove.mutateAsync(number)}
              >
                Do this only if the recipient asked for it. In many countries, the law requires
                that.
              </ConfirmButton>
            </ListRow>
          )}
        </ListCard>
      </Section>
      <AddOptOut workspaceId={workspaceId} />
      <KeywordReplySettings workspaceId={workspaceId} />
    </>
  );
}

function AddOptOut({ workspaceId }: SectionProps) {
  const [number, setNumber] = useState('');
  const [round, setRound] = useState(0);
  const add = useSettingsChange(workspaceId, (api, body: { number: string }) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/opt-outs', {
      params: { workspaceId },
      body,
    }),
  );
  return (
    <Section title="Add a number" about="For a recipient who asked you to stop in another way.">
      <Form
        className="card space-y-4 p-4"
        error={add.error}
        onSubmit={() => {
          add.mutate({ number }, { onSuccess: () => setRound((last) => last + 1) });
        }}
      >
        <PhoneInput key={round} label="Number" name="number" value="" onChange={setNumber} />
        <FailureNotice error={add.error} />
        <Button type="submit" kind="primary" disabled={add.isPending}>
          Opt out
        </Button>
      </Form>
    </Section>
  );
}
