import type { Message } from '@switchboard/contracts';
import * as strings from '#strings/message';
import * as names from '#strings/names';

/** Names who sent an outbound message. */
export function describeSender(sender: Message['sent_by']): string {
  if (sender === null) return strings.unknownSender;
  const { type, name } = sender;
  switch (type) {
    case 'user':
      return name ?? names.formerMember;
    case 'api_key':
      return names.apiKey(name ?? '');
    case 'keyword_reply':
      return name === null ? strings.automaticReply : strings.automaticReplyTo(name);
  }
}
