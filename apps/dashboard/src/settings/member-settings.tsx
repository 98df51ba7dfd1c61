import type { Invite, Member } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
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
import type { SectionProps } from './settings-section.tsx';
import { useIsOwner } from './use-is-owner.ts';
import { useSettingsChange, useSettingsList } from './use-settings.ts';

export function MemberSettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const isOwner = useIsOwner(workspaceId);
  const { data: me } = useQuery(meQuery(useApi()));
  const members = useSettingsList<Member>(workspaceId, 'members', page);
  const changeRole = useSettingsChange(
    workspaceId,
    (api, path, { userId, role }: { userId: string; role: string }) =>
      api.patch(`${path}/members/${userId}`, { role }),
  );
  const remove = useSettingsChange(workspaceId, (api, path, userId: string) =>
    api.delete(`${path}/members/${userId}`),
  );
  return (
    <>
      <Section
        title="Members"
        about="A member does everything; only an owner changes the provider, keys and members."
      >
        <ListCard query={members} one="member" onPage={setPage} empty="Nobody.">
          {({ user_id, name, email, role }) => (
            <ListRow
              key={user_id}
              title={
                <>
                  <bdi>{name}</bdi>
                  {user_id === me?.user.id && <Tag>You</Tag>}
                </>
              }
              about={email}
            >
              {isOwner ? (
                <select
                  aria-label={`Role of ${name}`}
                  className="field h-8 min-h-8 w-auto py-0.5"
                  value={role}
                  disabled={changeRole.isPending}
                  onChange={(event) =>
                    changeRole.mutate({ userId: user_id, role: event.target.value })
                  }
                >
                  <option value="owner">Owner</option>
                  <option value="member">Member</option>
                </select>
              ) : (
                <Tag>{role}</Tag>
              )}
              {isOwner && (
                <ConfirmButton
                  label="Remove"
                  ariaLabel={`Remove ${name}`}
                  title={`Remove ${name}?`}
                  onConfirm={() => remove.mutateAsync(user_id)}
                >
                  They lose access immediately.
                </ConfirmButton>
              )}
            </ListRow>
          )}
        </ListCard>
        <FailureNotice error={changeRole.error} />
      </Section>
      {isOwner && <AddMember workspaceId={workspaceId} />}
    </>
  );
}

function AddMember({ workspaceId }: SectionProps) {
  const add = useSettingsChange(workspaceId, (api, path, body: { email: string; role: string }) =>
    api.post<Member | Invite>(`${path}/members`, body),
  );
  return (
    <Section title="Add someone">
      <Form
        className="card space-y-4 p-4"
        error={add.error}
        onSubmit={(form) => {
          add.mutate(
            { email: readText(form, 'email'), role: readText(form, 'role') },
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
        <FailureNotice error={add.error} />
        {add.data !== undefined &&
          ('invite_token' in add.data ? (
            <InviteNotice invite={add.data} />
          ) : (
            <Notice look="good">{add.data.name} can see this workspace now.</Notice>
          ))}
        <Button type="submit" kind="primary" disabled={add.isPending}>
          Add
        </Button>
      </Form>
    </Section>
  );
}

/** Mail is not ours to send: the owner hands the address over. */
function InviteNotice({ invite }: { invite: Invite }) {
  const link = `${window.location.origin}/sign-up?invite=${encodeURIComponent(invite.invite_token)}`;
  return (
    <Notice look="info">
      <p>
        They have no account yet. Send them this address, good until{' '}
        {formatFullTime(invite.expires_at)}; it is shown once.
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
