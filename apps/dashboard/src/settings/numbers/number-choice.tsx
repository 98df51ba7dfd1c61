import type { ProviderAccount, ProviderNumber } from '@switchboard/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/numbers';
import { useApi } from '../../api/api-context.tsx';
import { queryKeys } from '../../api/query-keys.ts';
import { formatPhone } from '../../phone/format-phone.ts';
import { Button } from '../../ui/button.tsx';
import { isolate } from '../../ui/format.ts';
import { FailureNotice, Notice, Skeleton } from '../../ui/notice.tsx';
import { setsInbound } from '../providers/vendors.ts';
import { ImportResult } from './import-result.tsx';
import { useImportNumbers } from './use-import-numbers.ts';

const PAGE_SIZE = 50;

/** Chooses numbers from the list of a provider account, and adds them. */
export function NumberChoice(props: {
  workspaceId: string;
  account: ProviderAccount;
  onClose(): void;
}) {
  const { workspaceId, account } = props;
  const api = useApi();
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<ReadonlyMap<string, ProviderNumber>>(new Map());
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKeys.providerNumbers(workspaceId, account.id), page],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/providers/{providerId}/numbers', {
        params: { workspaceId, providerId: account.id },
        query: { page, limit: PAGE_SIZE },
      }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const add = useImportNumbers(workspaceId, account.id);
  const choose = (numbers: readonly ProviderNumber[], isChosen: boolean) => {
    const next = new Map(chosen);
    for (const number of numbers) {
      if (isChosen) next.set(number.number, number);
      else next.delete(number.number);
    }
    setChosen(next);
  };

  if (add.data !== undefined) return <ImportResult results={add.data} onClose={props.onClose} />;
  if (error !== null) {
    return (
      <div className="space-y-4">
        <FailureNotice error={error} />
        <Button onClick={() => void refetch()}>{actions.tryAgain}</Button>
      </div>
    );
  }
  if (data === undefined) return <Skeleton lines={5} height="h-12" />;
  if (data.data.length === 0) {
    return <p className="text-soft">{strings.providerAccountOwnsNoNumbers}</p>;
  }
  const { totalItems, totalPages, hasNext } = data.pagination;
  const free = data.data.filter(isFree);
  const moved = [...chosen.values()].filter(({ inbound }) => inbound === 'elsewhere');
  return (
    <div className="space-y-4">
      {!data.is_complete && <Notice tone="info">{strings.moreThanListed(totalItems)}</Notice>}
      {free.length > 1 && (
        <label className="flex w-fit items-center gap-2 font-medium">
          <input
            type="checkbox"
            className="accent-accent"
            checked={free.every(({ number }) => chosen.has(number))}
            onChange={({ target }) => choose(free, target.checked)}
          />
          {totalPages > 1 ? strings.chooseAllOnThisPage : strings.chooseAll}
        </label>
      )}
      <ul
        aria-label={strings.numbersOfProviderAccount}
        aria-busy={isFetching}
        className="divide-y divide-line rounded-lg border border-line"
      >
        {data.data.map((number) => (
          <li key={number.number}>
            <label className="flex items-start gap-3 px-3 py-2.5">
              <input
                type="checkbox"
                className="mt-1 accent-accent"
                checked={chosen.has(number.number) || number.number_id !== null}
                disabled={!isFree(number) || add.isPending}
                onChange={({ target }) => choose([number], target.checked)}
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="font-medium tabular-nums">{formatPhone(number.number)}</span>
                {number.label !== '' && <span className="text-soft"> {isolate(number.label)}</span>}
                <span className="block text-[0.8125rem] text-faint">{describe(number)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {totalPages > 1 && (
        <nav aria-label={strings.pagesOfNumbers} className="flex items-center gap-2 text-soft">
          <span className="mr-auto">{strings.numberCount(totalItems)}</span>
          <Button size="small" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {actions.previous}
          </Button>
          <Button size="small" disabled={!hasNext} onClick={() => setPage(page + 1)}>
            {actions.next}
          </Button>
        </nav>
      )}
      {moved.length > 0 && (
        <Notice tone="wait">
          {(setsInbound(account.type) ? strings.movedHere : strings.movedByHand)(moved.length)}
        </Notice>
      )}
      <FailureNotice error={add.error} />
      <div className="flex items-center justify-end gap-2 border-t border-line pt-4">
        <Button kind="quiet" onClick={props.onClose}>
          {actions.cancel}
        </Button>
        <Button
          kind="primary"
          disabled={chosen.size === 0 || add.isPending}
          onClick={() => add.mutate([...chosen.values()])}
        >
          {add.isPending
            ? strings.adding
            : chosen.size === 0
              ? strings.addNumbers
              : strings.addNumbersCounted(chosen.size)}
        </Button>
      </div>
    </div>
  );
}

const isFree = ({ number_id, capabilities }: ProviderNumber) =>
  number_id === null && capabilities.length > 0;

function describe({ number_id, capabilities, kind, inbound, inbound_host }: ProviderNumber) {
  const destination = {
    here: strings.messagesArriveHere,
    elsewhere:
      inbound_host === null ? strings.messagesGoElsewhere : strings.messagesGoTo(inbound_host),
    nowhere: strings.messagesAreNotForwarded,
  }[inbound];
  return [
    number_id === null ? '' : strings.inThisWorkspace,
    kind === 'toll_free' ? strings.tollFree : '',
    capabilities.length === 0 ? strings.cannotSendMessages : capabilities.join(', ').toUpperCase(),
    destination,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
