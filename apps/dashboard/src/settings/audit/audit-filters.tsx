import type { AuditEntry } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import * as audit from '#strings/audit';
import * as strings from '#strings/audit-filters';
import { useApi } from '../../api/api-context.tsx';
import { queryKeys } from '../../api/query-keys.ts';
import { membersQuery } from '../../api/workspace-queries.ts';
import { Button } from '../../ui/button.tsx';

/** What the user chose; an empty text selects all. Days are local and both inclusive. */
export interface AuditFilters {
  actor: string;
  action: AuditEntry['action'] | '';
  firstDay: string;
  lastDay: string;
}

export const NO_FILTERS: AuditFilters = { actor: '', action: '', firstDay: '', lastDay: '' };

export const isFiltered = (filters: AuditFilters): boolean =>
  Object.values(filters).some((value) => value !== '');

/** Returns the query of the API, in which days are instants and the last one is exclusive. */
export function toAuditQuery({ actor, action, firstDay, lastDay }: AuditFilters) {
  return {
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(firstDay !== '' && { from: startOf(firstDay, 0) }),
    ...(lastDay !== '' && { to: startOf(lastDay, 1) }),
  };
}

/** The start of a local day, or of one that many days later. */
function startOf(day: string, later: number): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

export function AuditFilterBar(props: {
  workspaceId: string;
  filters: AuditFilters;
  onChange(filters: AuditFilters): void;
}) {
  const { workspaceId, filters, onChange } = props;
  const api = useApi();
  const members = useQuery(membersQuery(api, workspaceId)).data?.data ?? [];
  const keys = useQuery({
    queryKey: [...queryKeys.settings(workspaceId, 'api-keys'), 'all'],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/api-keys', {
        params: { workspaceId },
        query: { limit: 100 },
      }),
  }).data;
  const change = (part: Partial<AuditFilters>): void => onChange({ ...filters, ...part });
  return (
    <div
      role="group"
      aria-label={strings.filters}
      className="mb-3 grid grid-cols-2 items-end gap-2 lg:grid-cols-4"
    >
      <Labeled label={strings.who}>
        {(id) => (
          <select
            id={id}
            className="field"
            value={filters.actor}
            onChange={({ target }) => change({ actor: target.value })}
          >
            <option value="">{strings.everyone}</option>
            <optgroup label={strings.members}>
              {members.map(({ user_id, name }) => (
                <option key={user_id} value={user_id}>
                  {name}
                </option>
              ))}
            </optgroup>
            <optgroup label={strings.apiKeys}>
              {(keys?.data ?? []).map(({ id: keyId, name }) => (
                <option key={keyId} value={keyId}>
                  {name}
                </option>
              ))}
            </optgroup>
            <option value="operator">{audit.operator}</option>
          </select>
        )}
      </Labeled>
      <Labeled label={strings.what}>
        {(id) => (
          <select
            id={id}
            className="field"
            value={filters.action}
            onChange={({ target }) => change({ action: target.value as AuditFilters['action'] })}
          >
            <option value="">{strings.everything}</option>
            {Object.entries(strings.actionNames).map(([action, name]) => (
              <option key={action} value={action}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labeled>
      <Labeled label={strings.firstDay}>
        {(id) => (
          <input
            id={id}
            type="date"
            className="field"
            max={filters.lastDay}
            value={filters.firstDay}
            onChange={({ target }) => change({ firstDay: target.value })}
          />
        )}
      </Labeled>
      <Labeled label={strings.lastDay}>
        {(id) => (
          <input
            id={id}
            type="date"
            className="field"
            min={filters.firstDay}
            value={filters.lastDay}
            onChange={({ target }) => change({ lastDay: target.value })}
          />
        )}
      </Labeled>
      {isFiltered(filters) && <Button onClick={() => onChange(NO_FILTERS)}>{strings.clear}</Button>}
    </div>
  );
}

function Labeled(props: { label: string; children(id: string): ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-0.5 block text-xs font-medium text-faint">
        {props.label}
      </label>
      {props.children(id)}
    </div>
  );
}
