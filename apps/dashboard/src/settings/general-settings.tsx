import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as actions from '#strings/actions';
import * as strings from '#strings/settings';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { workspaceQuery } from '../api/workspace-queries.ts';
import { GettingStarted } from '../shell/getting-started.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice, LoadFailure, Notice, Skeleton } from '../ui/notice.tsx';
import { readText } from '../ui/read-text.ts';
import type { EncodingChoice } from '@switchboard/contracts';
import { FactorRule } from './factor-rule.tsx';
import { CloseWorkspace } from './close-workspace.tsx';
import { CountryField } from './country-field.tsx';
import { Section } from './section.tsx';
import type { SectionProps } from './sections.ts';
import { useSettingsChange } from './use-settings.ts';
import { IfMay, ReadOnlyUnless } from '../session/use-may.tsx';

interface WorkspaceChange {
  name: string;
  country: string | null;
  encoding: EncodingChoice;
}

export function GeneralSettings({ workspaceId }: SectionProps) {
  const client = useQueryClient();
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(useApi(), workspaceId));
  const change = useSettingsChange(workspaceId, async (api, body: WorkspaceChange) => {
    await api.request('PATCH /api/ui/workspaces/{workspaceId}', { params: { workspaceId }, body });
    await client.invalidateQueries({ queryKey: queryKeys.me });
  });
  if (workspace === undefined) {
    return error === null ? (
      <Skeleton lines={3} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <Section title={strings.general}>
        <Form
          className="card space-y-4 p-4"
          error={change.error}
          onSubmit={(form) => {
            change.mutate({
              name: readText(form, 'name'),
              country: readText(form, 'country') || null,
              encoding: readText(form, 'encoding') === 'prefer_gsm7' ? 'prefer_gsm7' : 'as_is',
            });
          }}
        >
          <ReadOnlyUnless permission="change" className="space-y-4">
            <Field label={strings.workspaceName} name="name">
              {(control) => (
                <input
                  {...control}
                  key={workspace.name}
                  dir="auto"
                  className="field"
                  required
                  maxLength={100}
                  defaultValue={workspace.name}
                />
              )}
            </Field>
            <CountryField key={workspace.country} defaultValue={workspace.country} />
            <Field label={strings.encoding} name="encoding" hint={strings.encodingHint}>
              {(control) => (
                <select
                  {...control}
                  key={workspace.encoding}
                  className="field"
                  defaultValue={workspace.encoding}
                >
                  <option value="as_is">{strings.encodingAsIs}</option>
                  <option value="prefer_gsm7">{strings.encodingPreferGsm7}</option>
                </select>
              )}
            </Field>
          </ReadOnlyUnless>
          <FailureNotice error={change.error} />
          {change.isSuccess && <Notice tone="good">{actions.saved}</Notice>}
          <IfMay permission="change">
            <Button type="submit" kind="primary" isBusy={change.isPending}>
              {actions.save}
            </Button>
          </IfMay>
        </Form>
        {/* Both modes have the same members, so the rule is changed in live mode. */}
        {workspace.mode === 'live' && (
          <IfMay permission="manage">
            <FactorRule workspace={workspace} />
          </IfMay>
        )}
        <div className="card mt-4 flex items-center justify-between gap-3 px-4 py-3">
          <div className="min-w-0">
            <p className="text-faint">{strings.workspaceId}</p>
            <code className="font-mono text-xs [overflow-wrap:anywhere]">{workspaceId}</code>
          </div>
          <CopyButton text={workspaceId} label={strings.copyWorkspaceId} />
        </div>
        {workspace.mode === 'live' && (
          <IfMay permission="manage">
            <CloseWorkspace workspace={workspace} />
          </IfMay>
        )}
      </Section>
      <div className="mt-8">
        <GettingStarted workspaceId={workspaceId} quiet />
      </div>
    </>
  );
}
