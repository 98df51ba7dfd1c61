import type { Member } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/members';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { InviteSettings } from './invite-settings.tsx';
import { LeaveButton } from './leave-button.tsx';
import { RoleOptions, RoleTable } from './role-table.tsx';
import { ListCard, ListRow, Section, Tag } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useMay } from '../session/use-may.tsx';
import { useSettingsChange, useSettingsList } from './use-settings.ts';

export function MemberSettings({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const isOwner = useMay('manage');
  const { data: me } = useQuery(meQuery(useApi()));
  const members = useSettingsList(workspaceId, 'members', page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/members', options),
  );
  const changeRole = useSettingsChange(
    workspaceId,
    (api, { userId, role }: { userId: string; role: Member['role'] }) =>
      api.request('PATCH /api/ui/workspaces/{workspaceId}/members/{userId}', {
        params: { workspaceId, userId },
        body: { role },
      }),
  );
  const remove = useSettingsChange(workspaceId, (api, userId: string) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/members/{userId}', {
      params: { workspaceId, userId },
    }),
  );
  return (
    <>
      <Section title={strings.members}>
        <ListCard
          query={members}
          count={strings.memberCount}
          onPage={setPage}
          toCells={({ name, email, role }) => [name, email, names.roles[role]]}
          empty={strings.noMembers}
        >
          {({ user_id, name, email, role, second_factor }) => (
            <ListRow
              key={user_id}
              title={
                <>
                  <bdi>{name}</bdi>
                  {user_id === me?.user.id && <Tag>{strings.you}</Tag>}
                  {second_factor === true && <Tag>{strings.secondFactor}</Tag>}
                  {second_factor === false && <Tag>{strings.noSecondFactor}</Tag>}
                </>
              }
              about={email}
            >
              {isOwner ? (
                <select
                  aria-label={strings.roleOf(name)}
                  className="field h-8 min-h-8 w-auto py-0.5"
                  value={role}
                  disabled={changeRole.isPending}
                  onChange={(event) =>
                    changeRole.mutate({
                      userId: user_id,
                      role: event.target.value as Member['role'],
                    })
                  }
                >
                  <RoleOptions />
                </select>
              ) : (
                <Tag>{names.roles[role]}</Tag>
              )}
              {user_id === me?.user.id ? (
                <LeaveButton workspaceId={workspaceId} userId={user_id} />
              ) : (
                isOwner && (
                  <ConfirmButton
                    label={actions.remove}
                    ariaLabel={strings.remove(name)}
                    title={strings.removeQuestion(name)}
                    onConfirm={() => remove.mutateAsync(user_id)}
                  >
                    {strings.removeExplained}
                  </ConfirmButton>
                )
              )}
            </ListRow>
          )}
        </ListCard>
        <FailureNotice error={changeRole.error} />
      </Section>
      <RoleTable />
      {isOwner && <InviteSettings workspaceId={workspaceId} />}
    </>
  );
}
