import type { RoutingShares } from '@switchboard/contracts';
import * as strings from '#strings/providers';
import { formatShare } from '../../ui/format.ts';

/** Shows an account’s share of recent messages. */
export function AccountShare(props: {
  providerId: string;
  hour: RoutingShares | undefined;
  day: RoutingShares | undefined;
}) {
  const { providerId, hour, day } = props;
  if (hour === undefined || day === undefined) return null;
  return (
    <p className="text-[0.8125rem] text-soft">
      {strings.shares({ hour: describe(hour, providerId), day: describe(day, providerId) })}
    </p>
  );
}

function describe({ shares, is_complete }: RoutingShares, providerId: string): string {
  if (shares.length === 0) return strings.noMessages;
  const own = shares.find(({ provider_id }) => provider_id === providerId);
  const share = own?.share ?? 0;
  const total = shares.reduce((sum, { messages }) => sum + messages, 0);
  // A few of many messages must not be shown as “0%”.
  const percent =
    share > 0 && share < 0.01 ? strings.lessThan(formatShare(0.01)) : formatShare(share);
  return (is_complete ? strings.shareOf : strings.shareOfNewest)({ percent, total });
}
