import type { Delivery } from '@switchboard/contracts';
import { findVendor } from '../settings/providers/vendors.ts';
import { formatShortDay } from '../ui/format.ts';
import { Breakdown } from './breakdown.tsx';
import { nameCountry } from './country-name.ts';

/** The delivery rate by country, sender, provider account, and API key or person. */
export function DeliveryBreakdowns(props: { workspaceId: string; delivery: Delivery }) {
  const { workspaceId, delivery } = props;
  if (delivery.total.sent === 0) return null;
  const common = { workspaceId, delivery };
  const last = new Date(Date.parse(delivery.to_before) - 1).toISOString();
  return (
    <section aria-labelledby="delivery-title">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="delivery-title" className="font-semibold">
          Delivery
        </h2>
        <p className="text-[0.8125rem] text-faint">
          Compared with {formatShortDay(delivery.from_before)} to {formatShortDay(last)}, on the
          same weekdays.
        </p>
      </div>
      <div className="grid gap-3 lg:grid-cols-2">
        <Breakdown
          {...common}
          title="By country"
          filter="country_code"
          parts={delivery.country_code}
          nameOf={({ value }) => (value === null ? 'Short codes and others' : nameCountry(value))}
        />
        <Breakdown
          {...common}
          title="By sender"
          filter="from"
          parts={delivery.sender}
          nameOf={({ value }) => value ?? 'No sender yet'}
        />
        <Breakdown
          {...common}
          title="By provider account"
          filter="provider"
          parts={delivery.provider}
          nameOf={({ name }) =>
            name === null ? 'Not handed over, or removed' : (findVendor(name)?.name ?? name)
          }
        />
        <Breakdown
          {...common}
          title="By API key and person"
          filter="sent_by"
          parts={delivery.sent_by}
          nameOf={({ value, name }) =>
            name ?? (value === null ? 'Keyword replies and others' : 'A former member')
          }
        />
      </div>
    </section>
  );
}
