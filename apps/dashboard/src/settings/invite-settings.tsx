import type { InviteToken, Member } from '@switchboard/contracts';
import { useState } from 'react';
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
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';

/** Lets owners invite people, and list and withdraw pending invitations. */
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
    <Section title="Invite someone">
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
          <EmailField isOfAnother />
          <Field label="Role" name="role">
            {(control) => (
              <select {...control} className="field" defaultValue="member">
                <option value="member">Member</option>
                <option value="owner">Owner</option>
              </select>
            )}
          </Field>
        </div>
        <FailureNotice error={create.error} />
        {create.data !== undefined && create.variables !== undefined && (
          <InviteNotice email={create.variables.email} invite={create.data} />
        )}
        <Button type="submit" kind="primary" disabled={create.isPending}>
          Create invitation
        </Button>
      </Form>
    </Section>
  );
}

/** Switchboard sends no email: the owner sends the link. */
function InviteNotice({ email, invite }: { email: string; invite: InviteToken }) {
  const link = inviteLink(invite.invite_token);
  return (
    <Notice tone="info">
      <p>
        Send this link to {email}. It works once, only for that email address, until{' '}
        {formatFullTime(invite.expires_at)}. It is not shown again.
      </p>
      <p className="mt-2 flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere] select-all">
          {link}
        </code>
        <CopyButton text={link} label="Copy invitation" />
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
    <Section
      title="Open invitations"
      about="Invitations that have not been accepted. Each link is shown only once."
    >
      <ListCard
        query={invites}
        one="invitation"
        onPage={setPage}
        empty={<p className="px-4 py-3 text-faint">No open invitations.</p>}
      >
        {({ id, email, role, invited_by, expires_at }) => (
          <ListRow
            key={id}
            title={email}
            about={
              <>
                Invited by <bdi>{invited_by.name}</bdi> · expires {formatFullTime(expires_at)}
              </>
            }
          >
            <Tag>{role}</Tag>
            <ConfirmButton
              label="Withdraw"
              ariaLabel={`Withdraw the invitation for ${email}`}
              title="Withdraw this invitation?"
              onConfirm={() => withdraw.mutateAsync(id)}
            >
              The link that you sent to {email} stops working immediately.
            </ConfirmButton>
          </ListRow>
        )}
      </ListCard>
    </Section>
  );
}
