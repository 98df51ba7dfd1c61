import type { WebhookAttempt, WebhookEndpoint } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/webhooks';
import { Button } from '../../ui/button.tsx';
import { formatSpan, formatTime } from '../../ui/format.ts';
import { useDay } from '../../ui/use-day.ts';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Tag } from '../section.tsx';
import { useSettingsChange } from '../use-settings.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

const DISABLED = {
  user: strings.disabledByUser,
  gone: strings.disabledGone,
  failing: strings.disabledFailing,
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
  useDay();
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
  const rotate = useSettingsChange(workspaceId, async (api, close: () => void) => {
    const { secret } = await api.request(
      'POST /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/rotate-secret',
      { params, body: {} },
    );
    close();
    onSecret(secret);
  });
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
          <span>
            <bdi>{description}</bdi> ·{' '}
          </span>
        )}
        <span>
          {endpoint.event_types === null ? strings.allEvents : endpoint.event_types.join(', ')} ·{' '}
          {endpoint.last_success_at === null
            ? strings.nothingDeliveredYet
            : strings.lastDelivered(formatTime(endpoint.last_success_at))}
        </span>
      </p>
      {endpoint.last_error !== null && (
        <Notice tone="bad">{strings.latestFailed(endpoint.last_error)}</Notice>
      )}
      {test.data !== undefined && <TestResult attempt={test.data} />}
      <FailureNotice error={test.error ?? change.error} />
      <div className="-ml-2.5 flex flex-wrap">
        <Button kind="quiet" size="small" onClick={() => setOpen('deliveries')}>
          {strings.deliveries}
        </Button>
        {enabled && (
          <>
            <Button
              kind="quiet"
              size="small"
              disabled={test.isPending}
              onClick={() => test.mutate(undefined)}
            >
              {test.isPending ? actions.sending : strings.sendTest}
            </Button>
            <Button kind="quiet" size="small" onClick={() => setOpen('replay')}>
              {strings.replay}
            </Button>
          </>
        )}
        <Button
          kind="quiet"
          size="small"
          isBusy={change.isPending}
          onClick={() => change.mutate({ enabled: !enabled })}
        >
          {enabled ? strings.disable : strings.enable}
        </Button>
        <ConfirmButton
          label={strings.replaceSecret}
          ariaLabel={strings.replaceSecretOf(url)}
          title={strings.replaceSecretQuestion}
          onConfirm={(close) => rotate.mutateAsync(close)}
        >
          {strings.replaceSecretExplained}
        </ConfirmButton>
        <ConfirmButton
          label={actions.deleteIt}
          ariaLabel={strings.deleteNamed(url)}
          title={strings.deleteThisEndpoint}
          onConfirm={() => remove.mutateAsync(undefined)}
        >
          {strings.deleteThisEndpointExplained}
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
      <span className="text-[0.8125rem] text-bad">
        {strings.failingSince(formatTime(failingSince))}
      </span>
    );
  }
  return endpoint.last_success_at === null ? null : (
    <span className="text-[0.8125rem] text-good">{strings.working}</span>
  );
}

function TestResult({ attempt }: { attempt: WebhookAttempt }) {
  return attempt.error === null ? (
    <Notice tone="good">
      {strings.testDelivered({
        status: String(attempt.status_code),
        duration: formatSpan(attempt.duration_ms),
      })}
    </Notice>
  ) : (
    <Notice tone="bad">{strings.testFailed(attempt.error)}</Notice>
  );
}
