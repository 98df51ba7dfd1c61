import type { Message } from '@switchboard/contracts';
import type { ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { findVendor } from '../settings/providers/vendors.ts';
import { formatFullTime } from '../ui/format.ts';

export function MessageFacts({ message }: { message: Message }) {
  const { from, to, provider_sid, id, segments, scheduled_at, sent_at, delivered_at } = message;
  return (
    <section aria-labelledby="facts-title">
      <h3
        id="facts-title"
        className="mb-1 text-xs font-semibold tracking-wide text-faint uppercase"
      >
        Details
      </h3>
      <dl className="divide-y divide-line">
        <Fact name="From">
          {from === null ? 'Chosen when the message is sent' : formatPhone(from)}
        </Fact>
        <Fact name="To">{formatPhone(to)}</Fact>
        {message.sent_by !== null && (
          <Fact name="Sent by">
            <bdi>{describeSender(message.sent_by)}</bdi>
          </Fact>
        )}
        {message.provider !== null && (
          <Fact name="Provider">
            {findVendor(message.provider.type)?.name ?? message.provider.type}
          </Fact>
        )}
        <Fact name="Segments">{segments}</Fact>
        <Fact name="Created">{formatFullTime(message.created_at)}</Fact>
        {scheduled_at !== null && <Fact name="Scheduled for">{formatFullTime(scheduled_at)}</Fact>}
        {sent_at !== null && <Fact name="Sent">{formatFullTime(sent_at)}</Fact>}
        {delivered_at !== null && <Fact name="Delivered">{formatFullTime(delivered_at)}</Fact>}
        <Fact name="Provider’s identifier" copy={provider_sid}>
          {provider_sid ?? 'Not available yet'}
        </Fact>
        <Fact name="Message identifier" copy={id}>
          {id}
        </Fact>
      </dl>
    </section>
  );
}

function describeSender({ type, name }: NonNullable<Message['sent_by']>): string {
  switch (type) {
    case 'user':
      return name ?? 'A former user';
    case 'api_key':
      return `API key ${name ?? ''}`;
    case 'keyword_reply':
      return `Automatic reply to ${name ?? 'a keyword'}`;
  }
}

function Fact(props: { name: string; copy?: string | null; children: ReactNode }) {
  const { name, copy = null, children } = props;
  const isIdentifier = copy !== null;
  return (
    <div className={`gap-x-4 py-2 ${isIdentifier ? '' : 'flex items-center justify-between'}`}>
      <dt className="text-faint">{name}</dt>
      <dd
        className={
          isIdentifier ? 'flex items-center justify-between gap-2' : 'text-right tabular-nums'
        }
      >
        {isIdentifier ? (
          <code className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{children}</code>
        ) : (
          children
        )}
        {isIdentifier && <CopyButton text={copy} label={`Copy ${name.toLowerCase()}`} />}
      </dd>
    </div>
  );
}
