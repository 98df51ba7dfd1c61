import type { ProviderAccount } from '@switchboard/contracts';
import * as strings from '#strings/providers';
import { CopyButton } from '../../ui/copy-button.tsx';
import { findVendor } from './vendors.ts';

const URLS = [
  ['inbound', strings.inboundUrl, strings.copyInboundUrl],
  ['status', strings.statusUrl, strings.copyStatusUrl],
] as const;

/** The URLs that the owner enters in the provider's console. Shows nothing for other providers. */
export function WebhookUrls({ account }: { account: ProviderAccount }) {
  const { webhook_urls: urls, type } = account;
  const step = findVendor(type)?.webhookStep;
  if (urls === null || step === undefined) return null;
  return (
    <div className="space-y-2">
      <p className="text-soft">{step}</p>
      <dl className="space-y-2">
        {URLS.map(([name, label, copyLabel]) => (
          <div key={name}>
            <dt className="text-[0.8125rem] text-faint">{label}</dt>
            <dd className="flex flex-wrap items-center gap-x-2">
              <code className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">
                {urls[name]}
              </code>
              <CopyButton text={urls[name]} label={copyLabel} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
