import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { membersQuery } from '../api/workspace-queries.ts';
import { MultiSelect } from '../ui/multi-select.tsx';

/** Selects the members who sent the messages. */
export function SenderFilter(props: {
  values: readonly string[];
  onChange(values: string[]): void;
}) {
  const { values, onChange } = props;
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/messages' });
  const api = useApi();
  const [wasOpened, setOpened] = useState(false);
  const { data: members } = useQuery({
    ...membersQuery(api, workspaceId),
    enabled: wasOpened || values.length > 0,
  });
  const known = (members?.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name }));
  const others = values.filter((id) => !known.some(({ value }) => value === id));
  const unknown = members === undefined ? 'Loading…' : 'A former member';
  return (
    <MultiSelect
      label="Sent by"
      className="w-32"
      options={[...known, ...others.map((value) => ({ value, label: unknown }))]}
      values={values}
      onOpen={() => setOpened(true)}
      onChange={onChange}
    />
  );
}
