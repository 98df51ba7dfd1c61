import { COMPARED_AFTER_MS, type Delivery, type DeliveryPart } from '@switchboard/contracts';
import {
  type CountDeliveries,
  type DeliveryCount,
  findQuantile,
  middleOfClass,
} from '@switchboard/database';
import { outcomeOf } from '@switchboard/core';

interface Period {
  from: Date;
  to: Date;
}

type Counts = Delivery['total'];

/** The number of values of each filter in a response. */
const VALUES = 20;

/**
 * Compares the messages sent in a period with those sent in an earlier period with the same
 * weekdays.
 */
export async function compareDeliveries(
  countDeliveries: CountDeliveries,
  workspaceId: string,
  now: Period,
): Promise<Delivery> {
  const before = earlier(now);
  const [current, previous] = await Promise.all([
    countDeliveries(workspaceId, now),
    countDeliveries(workspaceId, before),
  ]);
  const list = (dimension: DeliveryCount['dimension']): DeliveryPart[] =>
    listParts(dimension, current, previous);
  const [total = ZERO] = list('all');
  return {
    from: now.from.toISOString(),
    to: now.to.toISOString(),
    from_before: before.from.toISOString(),
    to_before: before.to.toISOString(),
    total: pickCounts(total),
    time_to_delivery: {
      median_ms: quantile(current, 0.5),
      p95_ms: quantile(current, 0.95),
      median_ms_before: quantile(previous, 0.5),
      p95_ms_before: quantile(previous, 0.95),
    },
    country_code: list('country_code'),
    sender: list('from'),
    provider: list('provider'),
    sent_by: list('sent_by'),
  };
}

/** Returns the latest period of the same length that ends before this one and starts a whole number of weeks earlier. */
function earlier({ from, to }: Period): Period {
  const length = to.getTime() - from.getTime();
  const shift = Math.ceil(length / COMPARED_AFTER_MS) * COMPARED_AFTER_MS;
  return { from: new Date(from.getTime() - shift), to: new Date(to.getTime() - shift) };
}

const ZERO: Counts = {
  sent: 0,
  delivered: 0,
  failed: 0,
  sent_before: 0,
  delivered_before: 0,
  failed_before: 0,
};

const pickCounts = ({ value: _value, name: _name, ...counts }: Partial<DeliveryPart>): Counts => ({
  ...ZERO,
  ...counts,
});

function listParts(
  dimension: DeliveryCount['dimension'],
  current: readonly DeliveryCount[],
  previous: readonly DeliveryCount[],
): DeliveryPart[] {
  const parts = new Map<string, DeliveryPart>();
  const add = (counts: readonly DeliveryCount[], suffix: '' | '_before'): void => {
    for (const counted of counts) {
      const outcome = outcomeOf(counted.status);
      if (counted.dimension !== dimension || outcome === null) continue;
      const { value, name, type, count } = counted;
      const shown = name === '' ? type : name;
      const part = parts.get(value) ?? { value: value === '' ? null : value, name: shown, ...ZERO };
      part[`sent${suffix}`] += count;
      if (outcome !== 'open') part[`${outcome}${suffix}`] += count;
      parts.set(value, part);
    }
  };
  add(current, '');
  add(previous, '_before');
  return [...parts.values()]
    .toSorted((a, b) => b.sent - a.sent || b.sent_before - a.sent_before)
    .slice(0, VALUES);
}

function quantile(counts: readonly DeliveryCount[], share: number): number | null {
  const classes = counts
    .filter(({ dimension }) => dimension === 'delivery_time')
    .map(({ value, count }) => ({ number: Number(value), count }));
  const found = findQuantile(classes, share);
  return found === null ? null : Math.round(middleOfClass(found));
}
