import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/messages';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { accountNamesQuery, keyNamesQuery, membersQuery } from '../api/workspace-queries.ts';
import { MultiSelect } from '../ui/multi-select.tsx';

interface IdFilterProps {
  values: readonly string[];
  onChange(values: string[]): void;
}

/** Selects the members and the API keys that sent the messages. */
export function SenderFilter({ values, onChange }: IdFilterProps) {
  const { api, workspaceId, enabled, onOpen } = useNames(values);
  const { data: members } = useQuery({ ...membersQuery(api, workspaceId), enabled });
  const { data: keys } = useQuery({ ...keyNamesQuery(api, workspaceId), enabled });
  const people = (members?.data ?? []).map(({ user_id, name }) => ({ id: user_id, name }));
  const programs = (keys ?? []).map(({ id, name }) => ({ id, name: names.apiKey(name) }));
  return (
    <MultiSelect
      label={strings.sentBy}
      className="@5xl:max-w-32 @5xl:grow @5xl:basis-19"
      options={toOptions(
        [...people, ...programs],
        values,
        members === undefined || keys === undefined ? actions.loading : names.formerMember,
      )}
      values={values}
      onOpen={onOpen}
      onChange={onChange}
    />
  );
}

/** Selects the provider accounts that sent or received the messages. */
export function ProviderFilter({ values, onChange }: IdFilterProps) {
  const { api, workspaceId, enabled, onOpen } = useNames(values);
  const { data: accounts } = useQuery({ ...accountNamesQuery(api, workspaceId), enabled });
  return (
    <MultiSelect
      label={strings.provider}
      className="@5xl:max-w-32 @5xl:grow @5xl:basis-19"
      options={toOptions(
        accounts ?? [],
        values,
        accounts === undefined ? actions.loading : strings.removedAccount,
      )}
      values={values}
      onOpen={onOpen}
      onChange={onChange}
    />
  );
}

/** The names are fetched when the list opens, or to show the names of the chosen values. */
function useNames(values: readonly string[]) {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/messages' });
  const api = useApi();
  const [wasOpened, setOpened] = useState(false);
  return {
    api,
    workspaceId,
    enabled: wasOpened || values.length > 0,
    onOpen: () => setOpened(true),
  };
}

/** Lists the known ids with their names, and the chosen ids that have none. */
function toOptions(
  known: readonly { id: string; name: string }[],
  values: readonly string[],
  unknown: string,
) {
  const others = values.filter((value) => !known.some(({ id }) => id === value));
  return [
    ...known.map(({ id, name }) => ({ value: id, label: name })),
    ...others.map((value) => ({ value, label: unknown })),
  ];
}
