import type { WebhookDelivery } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/webhooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatFullTime, formatSpan, formatTime } from '../../ui/format.ts';
import { useDay } from '../../ui/use-day.ts';
import { SendHorizontal } from '../../ui/icons.ts';
import { EmptyState, FailureNotice } from '../../ui/notice.tsx';
import { ListCard } from '../section.tsx';
import { useSettingsChange, useSettingsList } from '../use-settings.ts';

const FILTERS = [
  ['', strings.all],
  ['pending', strings.pending],
  ['failed', strings.failed],
  ['delivered', strings.delivered],
] as const;

const STATUSES: Record<WebhookDelivery['status'], { text: string; className: string }> = {
  pending: { text: strings.pending, className: 'text-wait' },
  delivered: { text: strings.delivered, className: 'text-good' },
  failed: { text: strings.failed, className: 'text-bad' },
};

/** The header of a delivery with the id of its event. */
const ID_HEADER = 'webhook-id';

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
    `deliveries.${endpointId}.${status}`,
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
    <Dialog title={strings.deliveries} wide onClose={props.onClose}>
      <div className="mb-3 flex flex-wrap gap-1" role="group" aria-label={strings.status}>
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
        count={strings.deliveryCount}
        onPage={setPage}
        toCells={(delivery) => [
          String(delivery.sequence),
          delivery.event_type,
          STATUSES[delivery.status].text,
          delivery.next_attempt_at === null ? '' : formatFullTime(delivery.next_attempt_at),
        ]}
        empty={
          <EmptyState icon={<SendHorizontal size={20} aria-hidden />} title={strings.noDeliveries}>
            {strings.noDeliveriesHint}
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
  useDay();
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
              {strings.nextAttempt(formatTime(delivery.next_attempt_at))}
            </span>
          )}
        </summary>
        <div className="mt-3 space-y-3">
          {attempts.map((attempt) => (
            <div key={attempt.at}>
              <p className="text-[0.8125rem] text-soft">
                {strings.attempt({
                  time: formatFullTime(attempt.at),
                  duration: formatSpan(attempt.duration_ms),
                  result: attempt.error ?? strings.deliveredWith(String(attempt.status_code)),
                })}
              </p>
              {attempt.response !== null && attempt.response !== '' && (
                <Code label={strings.response} text={attempt.response} />
              )}
            </div>
          ))}
          <p className="text-[0.8125rem] text-faint">
            <code className="font-mono">
              {ID_HEADER}: {delivery.event_id}
            </code>
          </p>
          {delivery.event === null ? (
            <p className="text-soft">{strings.messageDeleted}</p>
          ) : (
            <Code label={strings.request} text={JSON.stringify(delivery.event, null, 2)} />
          )}
          <FailureNotice error={retry.error} />
          {isEnabled && (
            <Button size="small" isBusy={retry.isPending} onClick={() => retry.mutate(undefined)}>
              {delivery.status === 'delivered' ? actions.sendAgain : strings.retryNow}
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
