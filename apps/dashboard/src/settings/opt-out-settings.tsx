import type { OptOut } from '@switchboard/contracts';
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

/** In words; what else there is stands as it came, as the STOP or END that somebody wrote. */
const REASONS: Record<string, string> = {
  manual: 'Added here',
  'provider 21610': 'Reported by the provider',
};

export function OptOutSettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const optOuts = useSettingsList<OptOut>(workspaceId, 'opt-outs', page);
  const remove = useSettingsChange(workspaceId, (api, path, number: string) =>
    api.delete(`${path}/opt-outs/${encodeURIComponent(number)}`),
  );
  return (
    <>
      <Section
        title="Opt-outs"
        about="Nothing is sent to these numbers. Whoever answers STOP is added, whoever answers START is taken off."
      >
        <ListCard
          query={optOuts}
          one="number"
          onPage={setPage}
          empty={
            <EmptyState icon={<Ban size={20} aria-hidden />} title="Nobody has opted out">
              Who sends STOP appears here.
            </EmptyState>
          }
        >
          {({ number, reason, created_at }) => (
            <ListRow
              key={number}
              title={
                <>
                  <span className="tabular-nums">{formatPhone(number)}</span>
                  <Tag>{REASONS[reason] ?? reason}</Tag>
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
                Only if they have asked for it: in many countries the law forbids it otherwise.
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
  const add = useSettingsChange(workspaceId, (api, path, body: { number: string }) =>
    api.post<OptOut>(`${path}/opt-outs`, body),
  );
  return (
    <Section title="Add a number" about="For someone who asked to stop in another way.">
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
