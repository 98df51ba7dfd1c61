import type { Workspace } from '@switchboard/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as strings from '#strings/settings';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { meQuery } from '../api/workspace-queries.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { useSettingsChange } from './use-settings.ts';

/** Shows and changes whether the workspace requires a second factor of its members. */
export function FactorRule({ workspace }: { workspace: Workspace }) {
  const { id: workspaceId, require_second_factor: isRequired } = workspace;
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery(useApi()));
  const change = useSettingsChange(workspaceId, async (api, required: boolean) => {
    await api.request('PATCH /api/ui/workspaces/{workspaceId}', {
      params: { workspaceId },
      body: { require_second_factor: required },
    });
    await client.invalidateQueries({ queryKey: queryKeys.me });
  });
  const isOffered = isRequired || me?.second_factor !== null;
  return (
    <div className="card mt-4 space-y-3 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-medium">{strings.factorRule}</p>
          <p className="text-[0.8125rem] text-faint">
            {isRequired ? strings.factorIsRequired : strings.factorIsOptional}
          </p>
          {!isOffered && (
            <p className="mt-1 text-[0.8125rem] text-soft">
              {strings.setUpFactorFirst((text) => (
                <Link
                  to="/w/$workspaceId/settings/$section"
                  params={{ workspaceId, section: 'account' }}
                  className="text-accent underline underline-offset-2"
                >
                  {text}
                </Link>
              ))}
            </p>
          )}
        </div>
        {isOffered && (
          <ConfirmButton
            key={String(isRequired)}
            label={isRequired ? strings.makeFactorOptional : strings.requireFactor}
            title={isRequired ? strings.makeFactorOptionalQuestion : strings.requireFactorQuestion}
            isHarmless={!isRequired}
            onConfirm={() => change.mutateAsync(!isRequired)}
          >
            {isRequired ? strings.makeFactorOptionalExplained : strings.requireFactorExplained}
          </ConfirmButton>
        )}
      </div>
      <FailureNotice error={change.error} />
    </div>
  );
}
