import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import * as strings from '#strings/compose';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { useContactName } from '../contacts/contact-context.tsx';
import { PhoneInput } from '../phone/phone-input.tsx';

const SUGGESTIONS = 8;
/** Shorter texts match too many contacts. */
const MIN_CHARACTERS = 2;

/** A phone number, or the name of a contact, which suggests its number. */
export function RecipientField(props: {
  workspaceId: string;
  value: string;
  onChange(number: string): void;
}) {
  const { workspaceId, value, onChange } = props;
  const api = useApi();
  const [text, setText] = useState('');
  const search = useDeferredValue(text);
  const name = useContactName(value);
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.contacts(workspaceId), 'recipients', search],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/contacts', {
        params: { workspaceId },
        query: { search, limit: SUGGESTIONS },
      }),
    enabled: search.length >= MIN_CHARACTERS,
    placeholderData: keepPreviousData,
  });
  return (
    <PhoneInput
      label={strings.to}
      name="to"
      value={value}
      onChange={onChange}
      onSearch={setText}
      suggestions={data?.data ?? []}
      isLoading={isPlaceholderData || search !== text}
      note={
        name === null ? null : (
          <>
            {' · '}
            <bdi>{name}</bdi>
          </>
        )
      }
    />
  );
}
