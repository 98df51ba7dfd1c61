import type { AuditEntry } from '@switchboard/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/audit';
import * as filterStrings from '#strings/audit-filters';
import * as words from '#strings/names';
import { useApi } from '../../api/api-context.tsx';
import { membersQuery } from '../../api/workspace-queries.ts';
import { Button } from '../../ui/button.tsx';
import { downloadFile } from '../../ui/download-file.ts';
import { Download, ScrollText } from '../../ui/icons.ts';
import { EmptyState, FailureNotice } from '../../ui/notice.tsx';
import { formatFullTime } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';
import { useProviders } from '../providers/use-providers.ts';
import { findVendor } from '../providers/vendors.ts';
import { ListCard, ListRow, Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { useSettingsList } from '../use-settings.ts';
import { AuditFilterBar, NO_FILTERS, isFiltered, toAuditQuery } from './audit-filters.tsx';
import type { EntryNames } from './describe-details.ts';
import { describeEntry } from './describe-entry.ts';

export function AuditTrail({ workspaceId }: SectionProps) {
  const [page, setPage] = useState(1);
  const [filters, setFilters] = useState(NO_FILTERS);
  const query = toAuditQuery(filters);
  const what = JSON.stringify({ audit: query });
  const audit = useSettingsList(workspaceId, what, page, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/audit', {
      ...options,
      query: { ...options.query, ...query },
    }),
  );
  const api = useApi();
  const download = useMutation({
    mutationFn: () =>
      api.download('GET /api/ui/workspaces/{workspaceId}/audit/export.csv', {
        params: { workspaceId },
        query,
      }),
    onSuccess: (file) => downloadFile(file, 'audit.csv'),
  });
  const providers = useProviders(workspaceId).data?.data ?? [];
  const members = useQuery(membersQuery(api, workspaceId)).data?.data ?? [];
  const names: EntryNames = {
    provider: (id) => providers.find((each) => each.id === id)?.name ?? null,
    vendor: (type) => findVendor(type)?.name ?? type,
  };
  /** A former member has only an email address here. */
  const nameOf = ({ type, id, name }: AuditEntry['actor']): string => {
    if (type === 'operator') return strings.operator;
    const member = members.find(({ user_id }) => user_id === id);
    return member?.name ?? name ?? words.formerMember;
  };
  return (
    <Section
      title={strings.auditTrail}
      about={strings.auditTrailAbout}
      action={
        <Button size="small" isBusy={download.isPending} onClick={() => download.mutate()}>
          <Download size={14} aria-hidden />
          {actions.exportFile}
        </Button>
      }
    >
      <AuditFilterBar
        workspaceId={workspaceId}
        filters={filters}
        onChange={(chosen) => {
          setFilters(chosen);
          setPage(1);
        }}
      />
      <FailureNotice error={download.error} />
      <ListCard
        query={audit}
        count={strings.entryCount}
        onPage={setPage}
        toCells={({ at, actor, action, target, ip }) => [
          formatFullTime(at),
          nameOf(actor),
          action,
          target ?? '',
          ip ?? '',
        ]}
        empty={
          isFiltered(filters) ? (
            <EmptyState
              icon={<ScrollText size={20} aria-hidden />}
              title={filterStrings.nothingMatches}
            >
              {filterStrings.nothingMatchesHint}
            </EmptyState>
          ) : (
            <EmptyState icon={<ScrollText size={20} aria-hidden />} title={strings.noChangesYet}>
              {strings.noChangesYetHint}
            </EmptyState>
          )
        }
      >
        {(entry) => {
          const { type, name } = entry.actor;
          const actor = (
            <bdi className="font-medium" title={name ?? undefined}>
              {nameOf(entry.actor)}
            </bdi>
          );
          const { sentence, details } = describeEntry(
            entry,
            names,
            type === 'api_key'
              ? strings.byApiKey({
                  name: actor,
                  hint: (text) => <span className="text-faint">{text}</span>,
                })
              : actor,
          );
          return (
            <ListRow
              key={entry.id}
              title={<span className="font-normal">{sentence}</span>}
              about={details.length === 0 ? undefined : details.join(' · ')}
            >
              <Time at={entry.at} style="full" className="text-[0.8125rem] text-faint" />
            </ListRow>
          );
        }}
      </ListCard>
    </Section>
  );
}
