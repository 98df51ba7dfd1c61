import type { InviteToken, Member } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as strings from '#strings/members';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { inviteLink } from '../session/invite-token.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmailField } from '../ui/credential-fields.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { formatFullTime } from '../ui/format.ts';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readText } from '../ui/read-text.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { RoleOptions } from './role-table.tsx';
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';

/** Lets owners invite people, and list and withdraw open invitations. */
export function InviteSettings({ workspaceId }: SectionProps) {
  return (
    <>
      <InviteForm workspaceId={workspaceId} />
      <OpenInvites workspaceId={workspaceId} />
    </>
  );
}

function InviteForm({ workspaceId }: SectionProps) {
  const create = useSettingsChange(
    workspaceId,
    (api, body: { email: string; role: Member['role'] }) =>
      api.request('POST /api/ui/workspaces/{workspaceId}/members', {
        params: { workspaceId },
        body,
      }),
  );
  return (
    <Section title={strings.inviteSomeone}>
      <Form
        className="card space-y-4 p-4"
        error={create.error}
        onSubmit={(form) => {
          create.mutate(
            { email: readText(form, 'email'), role: readText(form, 'role') as Member['role'] },
            { onSuccess: () => form.reset() },
          );
        }}
      >
        <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
          <EmailField isForOtherUser />
          <Field label={strings.role} name="role">
            {(control) => (
              <select {...control} className="field" defaultValue="member">
                <RoleOptions />
              </select>
            )}
          </Field>
        </div>
        <FailureNotice error={create.error} />
        {create.data !== undefined && create.variables !== undefined && (
          <InviteNotice email={create.variables.email} invite={create.data} />
        )}
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {strings.createInvitation}
        </Button>
      </Form>
    </Section>
  );
}

/** The owner can send the link, also where the service sends it by mail. */
function InviteNotice({ email, invite }: { email: string; invite: InviteToken }) {
  const { data: me } = useQuery(meQuery(useApi()));
  const link = inviteLink(invite.invite_token);
  const isMailed = me?.sends_mail === true;
  const expiry = formatFullTime(invite.expires_at);
  return (
    <Notice tone="info">
      {isMailed && <p className="mb-2">{strings.invitationMailed(email)}</p>}
      <p>{isMailed ? strings.sendItYourself(expiry) : strings.sendThisLink({ email, expiry })}</p>
      <p className="mt-2 flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere] select-all">
          {link}
        </code>
        <CopyButton text={link} label={strings.copyInvitation} />
      </p>
    </Notice>
  );
}

function OpenInvites({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const invites = useSettingsList(workspaceId, 'invites', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/invites', options),
  );
  const withdraw = useSettingsChange(workspaceId, (api, inviteId: string) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/invites/{inviteId}', {
      params: { workspaceId, inviteId },
    }),
  );
  return (
    <Section title={strings.openInvitations} about={strings.openInvitationsAbout}>
      <ListCard
        query={invites}
        count={strings.invitationCount}
        onPage={setPage}
        toCells={({ email, role, invited_by, expires_at }) => [
          email,
          names.roles[role],
          invited_by.name,
          formatFullTime(expires_at),
        ]}
        empty={<p className="px-4 py-3 text-faint">{strings.noOpenInvitations}</p>}
      >
        {({ id, email, role, invited_by, expires_at }) => (
          <ListRow
            key={id}
            title={email}
            about={
              <>
                {strings.invitedBy({
                  name: <bdi>{invited_by.name}</bdi>,
                  expiry: formatFullTime(expires_at),
                })}
              </>
            }
          >
            <Tag>{names.roles[role]}</Tag>
            <ConfirmButton
              label={strings.withdraw}
              ariaLabel={strings.withdrawInvitationFor(email)}
              title={strings.withdrawThisInvitation}
              onConfirm={() => withdraw.mutateAsync(id)}
            >
              {strings.withdrawExplained(email)}
            </ConfirmButton>
          </ListRow>
        )}
      </ListCard>
    </Section>
  );
}
