import type { Delivery } from '@switchboard/contracts';
import * as names from '#strings/names';
import * as strings from '#strings/overview';
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
          {strings.delivery}
        </h2>
        <p className="text-[0.8125rem] text-faint">
          {strings.comparedWith({
            first: formatShortDay(delivery.from_before),
            last: formatShortDay(last),
          })}
        </p>
      </div>
      <div className="grid gap-3 lg:grid-cols-2">
        <Breakdown
          {...common}
          title={strings.byCountry}
          filter="country_code"
          parts={delivery.country_code}
          nameOf={({ value }) =>
            value === null ? strings.shortCodesAndOthers : nameCountry(value)
          }
        />
        <Breakdown
          {...common}
          title={strings.bySender}
          filter="from"
          parts={delivery.sender}
          nameOf={({ value }) => value ?? strings.noSenderYet}
        />
        <Breakdown
          {...common}
          title={strings.byProviderAccount}
          filter="provider"
          parts={delivery.provider}
          nameOf={({ name }) =>
            name === null ? strings.notSentYetOrRemoved : (findVendor(name)?.name ?? name)
          }
        />
        <Breakdown
          {...common}
          title={strings.byApiKeyAndPerson}
          filter="sent_by"
          parts={delivery.sent_by}
          nameOf={({ value, name }) =>
            name ?? (value === null ? strings.keywordRepliesAndOthers : names.formerMember)
          }
        />
      </div>
    </section>
  );
}
