import type { WebhookDelivery } from '@switchboard/contracts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatFullTime, formatTime } from '../../ui/format.ts';
import { SendHorizontal } from '../../ui/icons.ts';
import { EmptyState, FailureNotice } from '../../ui/notice.tsx';
import { ListCard } from '../section.tsx';
import { useSettingsChange, useSettingsList } from '../use-settings.ts';

const FILTERS = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['delivered', 'Delivered'],
] as const;

const STATUSES: Record<WebhookDelivery['status'], { text: string; className: string }> = {
  pending: { text: 'Pending', className: 'text-wait' },
  delivered: { text: 'Delivered', className: 'text-good' },
  failed: { text: 'Failed', className: 'text-bad' },
};

interface EndpointProps {
  workspaceId: string;
  endpointId: string;
  isEnabled: boolean;
}

/** The deliveries of an endpoint, with their requests and responses. */
export function DeliveriesDialog(props: EndpointProps & { onClose(): void }) {
  const { workspaceId, endpointId } = props;
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<(typeof FILTERS)[number][0]>('');
  const deliveries = useSettingsList(
    workspaceId,
    `deliveries ${endpointId} ${status}`,
    page,
    (api, { query }) =>
      api.request(
        'GET /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/deliveries',
        {
          params: { workspaceId, endpointId },
          query: { ...query, ...(status !== '' && { status }) },
        },
      ),
  );
  return (
    <Dialog title="Deliveries" wide onClose={props.onClose}>
      <div className="mb-3 flex flex-wrap gap-1" role="group" aria-label="Status">
        {FILTERS.map(([value, text]) => (
          <Button
            key={value}
            size="small"
            kind={status === value ? 'primary' : 'plain'}
            aria-pressed={status === value}
            onClick={() => {
              setStatus(value);
              setPage(1);
            }}
          >
            {text}
          </Button>
        ))}
      </div>
      <ListCard
        query={deliveries}
        one="delivery"
        onPage={setPage}
        empty={
          <EmptyState icon={<SendHorizontal size={20} aria-hidden />} title="No deliveries">
            Deliveries of the last seven days appear here.
          </EmptyState>
        }
      >
        {(delivery) => <DeliveryRow key={delivery.id} {...props} delivery={delivery} />}
      </ListCard>
    </Dialog>
  );
}

function DeliveryRow(props: EndpointProps & { delivery: WebhookDelivery }) {
  const { workspaceId, endpointId, isEnabled, delivery } = props;
  const { id: deliveryId, sequence, event_type: type, attempts } = delivery;
  const retry = useSettingsChange(workspaceId, (api) =>
    api.request(
      'POST /api/ui/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/retry',
      { params: { workspaceId, endpointId, deliveryId } },
    ),
  );
  const { text, className } = STATUSES[delivery.status];
  return (
    <li className="px-4 py-3">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-faint tabular-nums">#{sequence}</span>
          <span className="font-medium">{type}</span>
          <span className={`text-[0.8125rem] ${className}`}>{text}</span>
          {delivery.next_attempt_at !== null && (
            <span className="text-[0.8125rem] text-faint">
              next attempt {formatTime(delivery.next_attempt_at)}
            </span>
          )}
        </summary>
        <div className="mt-3 space-y-3">
          {attempts.map((attempt) => (
            <div key={attempt.at}>
              <p className="text-[0.8125rem] text-soft">
                {formatFullTime(attempt.at)} · {attempt.duration_ms} ms ·{' '}
                {attempt.error ?? `delivered, the answer was ${attempt.status_code}`}
              </p>
              {attempt.response !== null && attempt.response !== '' && (
                <Code label="Answer" text={attempt.response} />
              )}
            </div>
          ))}
          <p className="text-[0.8125rem] text-faint">
            <code className="font-mono">webhook-id: {delivery.event_id}</code>
          </p>
          {delivery.event === null ? (
            <p className="text-soft">The message of this event has been deleted.</p>
          ) : (
            <Code label="Request" text={JSON.stringify(delivery.event, null, 2)} />
          )}
          <FailureNotice error={retry.error} />
          {isEnabled && (
            <Button size="small" disabled={retry.isPending} onClick={() => retry.mutate(undefined)}>
              {delivery.status === 'delivered' ? 'Send again' : 'Retry now'}
            </Button>
          )}
        </div>
      </details>
    </li>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <figure>
      <figcaption className="mb-1 text-[0.8125rem] font-medium text-soft">{label}</figcaption>
      <pre
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
    </figure>
  );
}
