import type { Message } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import * as strings from '#strings/message';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { describeSender } from './describe-sender.ts';

/** Returns a function that names who sent an outbound message: “You” only for messages of this user. */
export function useSenderName(): (message: Pick<Message, 'sent_by'>) => string {
  const { data: me } = useQuery(meQuery(useApi()));
  return ({ sent_by: sender }) =>
    sender?.type === 'user' && sender.id === me?.user.id ? strings.you : describeSender(sender);
}
