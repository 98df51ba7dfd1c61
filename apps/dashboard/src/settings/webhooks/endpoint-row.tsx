import type { WebhookAttempt, WebhookEndpoint } from '@switchboard/contracts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/format.ts';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Tag } from '../section.tsx';
import { useSettingsChange } from '../use-settings.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

const DISABLED = {
  user: 'Disabled',
  gone: 'Disabled: it answered 410',
  failing: 'Disabled: every attempt failed for five days',
} as const;

/** An endpoint with its health and its actions. */
export function EndpointRow(props: {
  workspaceId: string;
  endpoint: WebhookEndpoint;
  onSecret(secret: string): void;
}) {
  const { workspaceId, endpoint, onSecret } = props;
  const { id, url, description, enabled } = endpoint;
  const params = { workspaceId, endpointId: id };
  const [open, setOpen] = useState<'deliveries' | 'replay' | null>(null);
  const test = useSettingsChange(workspaceId, (api) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/test', {
      params,
    }),
  );
  const change = useSettingsChange(workspaceId, (api, body: { enabled: boolean }) =>
    api.request('PATCH /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}', {
      params,
      body,
    }),
  );
  const rotate = useSettingsChange(workspaceId, (api) =>
    api.request(
      'POST /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/rotate-secret',
      { params, body: {} },
    ),
  );
  const remove = useSettingsChange(workspaceId, (api) =>
    api.request('DELETE /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}', {
      params,
    }),
  );

  return (
    <li className="space-y-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
        <bdi>{url}</bdi>
        <Health endpoint={endpoint} />
      </div>
      <p className="text-[0.8125rem] text-faint">
        {description !== '' && (
          <>
            <bdi>{description}</bdi> ·{' '}
          </>
        )}
        {endpoint.event_types === null ? 'All events' : endpoint.event_types.join(', ')} ·{' '}
        {endpoint.last_success_at === null
          ? 'nothing delivered yet'
          : `last delivered ${formatTime(endpoint.last_success_at)}`}
      </p>
      {endpoint.last_error !== null && (
        <Notice tone="bad">The latest delivery failed: {endpoint.last_error}.</Notice>
      )}
      {test.data !== undefined && <TestResult attempt={test.data} />}
      <FailureNotice error={test.error ?? change.error} />
      <div className="-ml-2.5 flex flex-wrap gap-1">
        <Button kind="quiet" size="small" onClick={() => setOpen('deliveries')}>
          Deliveries
        </Button>
        {enabled && (
          <>
            <Button
              kind="quiet"
              size="small"
              disabled={test.isPending}
              onClick={() => test.mutate(undefined)}
            >
              {test.isPending ? 'Sending…' : 'Send test'}
            </Button>
            <Button kind="quiet" size="small" onClick={() => setOpen('replay')}>
              Replay
            </Button>
          </>
        )}
        <Button
          kind="quiet"
          size="small"
          disabled={change.isPending}
          onClick={() => change.mutate({ enabled: !enabled })}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        <ConfirmButton
          label="Replace secret"
          ariaLabel={`Replace the secret of ${url}`}
          title="Replace the secret?"
          onConfirm={async () => onSecret((await rotate.mutateAsync(undefined)).secret)}
        >
          For one day, deliveries are signed with both secrets. Switch the receiver to the new one
          in that time.
        </ConfirmButton>
        <ConfirmButton
          label="Delete"
          ariaLabel={`Delete ${url}`}
          title="Delete this endpoint?"
          onConfirm={() => remove.mutateAsync(undefined)}
        >
          It receives no more events, and its deliveries are deleted, including those that are
          pending.
        </ConfirmButton>
      </div>
      {open === 'deliveries' && (
        <DeliveriesDialog {...params} isEnabled={enabled} onClose={() => setOpen(null)} />
      )}
      {open === 'replay' && <ReplayDialog {...params} onClose={() => setOpen(null)} />}
    </li>
  );
}

function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { disabled_reason: reason, failing_since: failingSince } = endpoint;
  if (reason !== null) return <Tag>{DISABLED[reason]}</Tag>;
  if (failingSince !== null) {
    return (
      <span className="text-[0.8125rem] text-bad">Failing since {formatTime(failingSince)}</span>
    );
  }
  return endpoint.last_success_at === null ? null : (
    <span className="text-[0.8125rem] text-good">Working</span>
  );
}

function TestResult({ attempt }: { attempt: WebhookAttempt }) {
  return attempt.error === null ? (
    <Notice tone="good">
      The test was delivered: {attempt.status_code} in {attempt.duration_ms} ms.
    </Notice>
  ) : (
    <Notice tone="bad">The test failed: {attempt.error}. It will be retried.</Notice>
  );
}
