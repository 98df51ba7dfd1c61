import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { apiKeysQuery, membersQuery } from '../api/workspace-queries.ts';
import { MultiSelect } from '../ui/multi-select.tsx';

/** Selects the members and API keys that sent the messages. */
export function SenderFilter(props: {
  values: readonly string[];
  onChange(values: string[]): void;
}) {
  const { values, onChange } = props;
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/messages' });
  const api = useApi();
  const [wasOpened, setOpened] = useState(false);
  const enabled = wasOpened || values.length > 0;
  const { data: members } = useQuery({ ...membersQuery(api, workspaceId), enabled });
  const { data: keys } = useQuery({ ...apiKeysQuery(api, workspaceId), enabled });
  const known = [
    ...(members?.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name })),
    ...(keys?.data ?? []).map(({ id, name }) => ({ value: id, label: name, note: 'API key' })),
  ];
  const others = values.filter((id) => !known.some(({ value }) => value === id));
  const isLoading = enabled && (members === undefined || keys === undefined);
  return (
    <MultiSelect
      label="Sent by"
      className="w-32"
      options={[
        ...known,
        ...others.map((value) => ({ value, label: isLoading ? 'Loading…' : 'A former member' })),
      ]}
      values={values}
      onOpen={() => setOpened(true)}
      onChange={onChange}
    />
  );
}
