import type { Delivery, Stats } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as strings from '#strings/overview';
import type { MessageSearch } from '../messages/message-filters.ts';
import { formatCount, formatPercent, formatSpan } from '../ui/format.ts';
import { Change } from './change.tsx';
import { countOutcomes, deliveryRate } from './count-outcomes.ts';
import { DELIVERED, FAILED, FINISHED, SENT } from './outcome-filters.ts';

interface Total {
  name: string;
  value: string;
  note: ReactNode;
  /** The filters that select the messages of the figure. */
  search: MessageSearch;
}

/** The figures of the period. Each links to its messages. */
export function Totals(props: {
  workspaceId: string;
  stats: Stats;
  /** Undefined until it is loaded. */
  delivery: Delivery | undefined;
}) {
  const { workspaceId, stats, delivery } = props;
  const outcomes = countOutcomes(stats.data.flatMap(({ counts }) => counts));
  const rate = deliveryRate(outcomes);
  const period = { startDate: stats.from, endDate: stats.to };
  const before = delivery && {
    sent: delivery.total.sent_before,
    delivered: delivery.total.delivered_before,
    failed: delivery.total.failed_before,
  };
  const rateBefore = before ? deliveryRate(before) : null;
  const times = delivery?.time_to_delivery;
  const change = (
    value: number,
    earlier: number | undefined,
    isRiseGood: boolean | null,
    format = formatCount,
  ): ReactNode =>
    earlier === undefined ? null : (
      <Change value={value} before={earlier} isRiseGood={isRiseGood} format={format} />
    );
  const duration = (
    name: string,
    ms: number | null | undefined,
    msBefore: number | null | undefined,
  ): Total => ({
    name,
    value: ms == null ? '–' : formatSpan(ms),
    note:
      ms == null || msBefore == null
        ? strings.fromAcceptance
        : change(ms, msBefore, false, formatSpan),
    search: { ...period, ...DELIVERED },
  });
  const totals: Total[] = [
    {
      name: strings.sent,
      value: formatCount(outcomes.sent),
      note: change(outcomes.sent, before?.sent, null),
      search: { ...period, ...SENT },
    },
    ...(outcomes.scheduled === 0
      ? []
      : [
          {
            name: strings.scheduled,
            value: formatCount(outcomes.scheduled),
            note: strings.toBeSentLater,
            search: { ...period, status: 'scheduled' },
          },
        ]),
    {
      name: strings.delivered,
      value: formatCount(outcomes.delivered),
      note: change(outcomes.delivered, before?.delivered, null),
      search: { ...period, ...DELIVERED },
    },
    {
      name: strings.failed,
      value: formatCount(outcomes.failed),
      note: change(outcomes.failed, before?.failed, false),
      search: { ...period, ...FAILED },
    },
    {
      name: strings.deliveryRate,
      value: rate === null ? '–' : formatPercent(rate),
      note:
        rate === null || rateBefore === null
          ? strings.ofMessagesWithFinalStatus
          : change(rate, rateBefore, true, formatPercent),
      search: { ...period, ...FINISHED },
    },
    duration(strings.medianTimeToDelivery, times?.median_ms, times?.median_ms_before),
    duration(strings.mostDeliveredWithin, times?.p95_ms, times?.p95_ms_before),
    {
      name: strings.received,
      value: formatCount(outcomes.received),
      note: strings.byThisWorkspace,
      search: { ...period, direction: 'inbound' },
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {totals.map(({ name, value, note, search }) => (
        <div key={name} className="card px-4 py-3">
          <dt className="text-[0.8125rem] font-medium text-soft">{name}</dt>
          <dd className="mt-0.5 text-2xl font-semibold tracking-tight tabular-nums">
            <Link
              to="/w/$workspaceId/messages"
              params={{ workspaceId }}
              search={search}
              preload={false}
              aria-label={strings.showMessagesOf({ name, value })}
              className="underline-offset-4 hover:underline"
            >
              {value}
            </Link>
          </dd>
          <dd className="min-h-4 text-xs text-faint">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
