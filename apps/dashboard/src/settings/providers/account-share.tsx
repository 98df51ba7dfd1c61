import type { RoutingShares } from '@switchboard/contracts';
import * as actions from '#strings/actions';
import * as strings from '#strings/providers';
import { formatShare } from '../../ui/format.ts';
import type { useShares } from './use-shares.ts';

type Share = RoutingShares['shares'][number];

/** Finds what an account sent in a period. */
export function findShare(of: RoutingShares | undefined, providerId: string): Share | undefined {
  return of?.shares.find(({ provider_id }) => provider_id === providerId);
}

/** Shows how many recent messages an account sent, and what became of them. */
export function AccountShare(props: {
  providerId: string;
  shares: ReturnType<typeof useShares>;
  /** The workspace has no other account. */
  isOnly: boolean;
}) {
  const { providerId, shares, isOnly } = props;
  return (
    <ul className="text-[0.8125rem] text-soft">
      {(['hour', 'day'] as const).map((period) => {
        const counted = shares[period];
        const share = findShare(counted, providerId);
        return (
          <li key={period}>
            <span>{strings.periods[period]}: </span>
            {counted === undefined ? (
              // Keeps the line: without it, what is below moves under the pointer when the figures arrive.
              <span>{actions.loading}</span>
            ) : share === undefined ? (
              <span>{strings.noMessages}</span>
            ) : (
              <span>
                <span>
                  {describe(share, counted, isOnly)}: {strings.delivered(share.delivered)},{' '}
                </span>
                <span className={share.failed > 0 ? 'font-medium text-bad' : ''}>
                  {strings.failed(share.failed)}
                </span>
                {share.in_progress > 0 && <span>, {strings.inProgress(share.in_progress)}</span>}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function describe({ messages, share }: Share, counted: RoutingShares, isOnly: boolean): string {
  const total = counted.shares.reduce((sum, each) => sum + each.messages, 0);
  // A few of many messages must not be shown as “0%”.
  const percent = share < 0.01 ? strings.lessThan(formatShare(0.01)) : formatShare(share);
  const part = [
    ...(isOnly ? [] : [strings.shareOfAll(percent)]),
    ...(counted.is_complete ? [] : [strings.ofTheNewest(total)]),
  ];
  const handedOver = strings.handedOver(messages);
  return part.length === 0 ? handedOver : `${handedOver} (${part.join(', ')})`;
}
