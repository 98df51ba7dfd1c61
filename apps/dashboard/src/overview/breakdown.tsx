import type { Delivery, DeliveryPart } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import * as strings from '#strings/overview';
import type { MessageSearch } from '../messages/message-filters.ts';
import { Button } from '../ui/button.tsx';
import { formatCount, formatPercent } from '../ui/format.ts';
import { Change } from './change.tsx';
import { deliveryRate } from './count-outcomes.ts';
import { FAILED, SENT } from './outcome-filters.ts';

const SHOWN = 5;

/** The delivery rate by the values of a filter, next to that of the earlier period. */
export function Breakdown(props: {
  workspaceId: string;
  title: string;
  filter: 'country_code' | 'from' | 'provider' | 'sent_by';
  delivery: Delivery;
  parts: readonly DeliveryPart[];
  nameOf(part: DeliveryPart): string;
}) {
  const { workspaceId, title, filter, delivery, parts, nameOf } = props;
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? parts : parts.slice(0, SHOWN);
  const searchOf = ({ value }: DeliveryPart): MessageSearch | null =>
    value === null ? null : { [filter]: value, startDate: delivery.from, endDate: delivery.to };
  return (
    <section aria-labelledby={id} className="card flex min-w-0 flex-col px-4 pt-3 pb-2">
      <h2 id={id} className="mb-1 font-semibold">
        {title}
      </h2>
      <table className="w-full table-fixed text-right text-[0.8125rem] tabular-nums">
        <thead className="text-faint">
          <tr>
            <th scope="col" className="w-[44%] py-1 text-left font-medium">
              <span className="sr-only">{title}</span>
            </th>
            <th scope="col" className="px-1 font-medium">
              {strings.sent}
            </th>
            <th scope="col" className="px-1 font-medium">
              {strings.failed}
            </th>
            <th scope="col" className="w-[28%] pl-1 font-medium">
              {strings.deliveryRate}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((part) => {
            const search = searchOf(part);
            return (
              <tr key={part.value} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 text-left font-normal">
                  <Messages {...{ workspaceId }} search={search && { ...search, ...SENT }}>
                    {nameOf(part)}
                  </Messages>
                </th>
                <td className="px-1 py-1.5">{formatCount(part.sent)}</td>
                <td className="px-1 py-1.5">
                  <Messages
                    {...{ workspaceId }}
                    search={part.failed === 0 ? null : search && { ...search, ...FAILED }}
                    label={strings.failedOf({
                      failed: formatCount(part.failed),
                      name: nameOf(part),
                    })}
                  >
                    {formatCount(part.failed)}
                  </Messages>
                </td>
                <td className="py-1.5 pl-1">
                  <Rate part={part} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {parts.length > SHOWN && (
        <Button
          kind="quiet"
          size="small"
          className="mt-1 self-start"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? strings.showFewer : strings.showAll(parts.length)}
        </Button>
      )}
    </section>
  );
}

/** The bars of all tables have one scale, from 0% to 100%. */
function Rate({ part }: { part: DeliveryPart }) {
  const rate = deliveryRate(part);
  const before = deliveryRate({ delivered: part.delivered_before, failed: part.failed_before });
  if (rate === null) return <span className="text-faint">{strings.noneYet}</span>;
  return (
    <>
      <span className="font-medium">{formatPercent(rate)}</span>
      <span aria-hidden className="mt-0.5 block h-1 rounded-full bg-sunken">
        <span
          className="block h-1 rounded-full bg-chart-good"
          style={{ width: `${rate * 100}%` }}
        />
      </span>
      {before !== null && <Change value={rate} before={before} isRiseGood format={formatPercent} />}
    </>
  );
}

function Messages(props: {
  workspaceId: string;
  /** Null for values without a filter. */
  search: MessageSearch | null;
  label?: string;
  children: string;
}) {
  const { workspaceId, search, label, children } = props;
  if (search === null) return <bdi className="break-words">{children}</bdi>;
  return (
    <Link
      to="/w/$workspaceId/messages"
      params={{ workspaceId }}
      search={search}
      preload={false}
      aria-label={label}
      className="break-words underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      <bdi>{children}</bdi>
    </Link>
  );
}
