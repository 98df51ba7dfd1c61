import type { Message } from '@switchboard/contracts';
import type { ReactNode } from 'react';
import * as strings from '#strings/message';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { findVendor } from '../settings/providers/vendors.ts';
import { formatFullTime } from '../ui/format.ts';
import { describeSender } from './describe-sender.ts';

export function MessageFacts({ message }: { message: Message }) {
  const { from, to, provider_sid, id, segments, scheduled_at, sent_at, delivered_at } = message;
  return (
    <section aria-labelledby="facts-title">
      <h3
        id="facts-title"
        className="mb-1 text-xs font-semibold tracking-wide text-faint uppercase"
      >
        {strings.details}
      </h3>
      <dl className="divide-y divide-line">
        <Fact name={strings.from}>
          {from === null ? strings.chosenWhenMessageIsSent : formatPhone(from)}
        </Fact>
        <Fact name={strings.to}>{formatPhone(to)}</Fact>
        {message.sent_by !== null && (
          <Fact name={strings.sentBy}>
            <bdi>{describeSender(message.sent_by)}</bdi>
          </Fact>
        )}
        {message.provider !== null && (
          <Fact name={strings.provider}>
            {findVendor(message.provider.type)?.name ?? message.provider.type}
          </Fact>
        )}
        <Fact name={strings.segments}>{segments}</Fact>
        <Fact name={strings.created}>{formatFullTime(message.created_at)}</Fact>
        {scheduled_at !== null && (
          <Fact name={strings.scheduledFor}>{formatFullTime(scheduled_at)}</Fact>
        )}
        {sent_at !== null && <Fact name={strings.sent}>{formatFullTime(sent_at)}</Fact>}
        {delivered_at !== null && (
          <Fact name={strings.delivered}>{formatFullTime(delivered_at)}</Fact>
        )}
        {message.reference !== null && (
          <Fact name={strings.reference} copy={message.reference} copyLabel={strings.copyReference}>
            <bdi>{message.reference}</bdi>
          </Fact>
        )}
        <Fact
          name={strings.providersMessageId}
          copy={provider_sid}
          copyLabel={strings.copyProvidersMessageId}
        >
          {provider_sid ?? strings.notAvailableYet}
        </Fact>
        <Fact name={strings.messageId} copy={id} copyLabel={strings.copyMessageId}>
          {id}
        </Fact>
      </dl>
      <MetadataTable pairs={Object.entries(message.metadata)} />
    </section>
  );
}

/** The pairs of the client, whose names are not texts of the dashboard. */
function MetadataTable({ pairs }: { pairs: readonly [string, string][] }) {
  if (pairs.length === 0) return null;
  return (
    <>
      <h4 className="mt-3 mb-1 text-faint">{strings.metadata}</h4>
      <dl className="divide-y divide-line border-y border-line" translate="no">
        {pairs.map(([name, value]) => (
          <div key={name} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 py-2">
            <dt className="[overflow-wrap:anywhere] text-faint">
              <bdi>{name}</bdi>
            </dt>
            <dd className="font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Fact(props: {
  name: string;
  copy?: string | null;
  copyLabel?: string;
  children: ReactNode;
}) {
  const { name, copy = null, copyLabel = name, children } = props;
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
          <span>{children}</span>
        )}
        {isIdentifier && <CopyButton text={copy} label={copyLabel} />}
      </dd>
    </div>
  );
}
