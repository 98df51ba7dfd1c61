import type { RoutingShares } from '@switchboard/contracts';
import { plural } from '../../ui/format.ts';

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
      Last hour: {describe(hour, providerId)} · Last 24 hours: {describe(day, providerId)}
    </p>
  );
}

function describe({ shares, is_complete }: RoutingShares, providerId: string): string {
  if (shares.length === 0) return 'no messages';
  const own = shares.find(({ provider_id }) => provider_id === providerId);
  const share = own?.share ?? 0;
  // A few of many messages must not show as “0 %”.
  const percent = share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
  const total = shares.reduce((sum, { messages }) => sum + messages, 0);
  return `${percent} of ${is_complete ? '' : 'the newest '}${plural(total, 'message')}`;
}
