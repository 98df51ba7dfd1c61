import type { ApiKey } from '@switchboard/contracts';
import * as strings from '#strings/api-keys';
import { formatFullTime } from '../../ui/format.ts';
import { KeyExample } from './key-example.tsx';

/** What a key may do, from where and until when, and how to use it. */
export function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const { scopes, allowed_ips, expires_at, previous_ends_at, last_used_ip } = apiKey;
  const facts = [
    [strings.scopes, scopes.map(strings.scopeName).join(', ')],
    [strings.addresses, allowed_ips.length === 0 ? strings.anyAddress : allowed_ips.join(', ')],
    [strings.expiry, expires_at === null ? strings.never : formatFullTime(expires_at)],
    [strings.lastAddress, last_used_ip ?? strings.none],
    ...(previous_ends_at === null
      ? []
      : [[strings.earlierSecrets, strings.until(formatFullTime(previous_ends_at))] as const]),
  ] as const;
  return (
    <details className="basis-full">
      <summary className="cursor-pointer text-[0.8125rem] font-medium text-soft">
        {strings.details}
      </summary>
      <dl className="my-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[0.8125rem]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <KeyExample scopes={scopes} value={strings.keyVariable} />
    </details>
  );
}
