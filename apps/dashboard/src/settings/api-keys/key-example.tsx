import { hasScope } from '@switchboard/contracts';
import * as strings from '#strings/api-keys';
import { BASE_PATH } from '../../base-path.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Commands that try a key, and the way to the reference. */
export function KeyExample({ scopes, value }: { scopes: readonly string[]; value: string }) {
  const api = `${location.origin}${BASE_PATH}/api`;
  return (
    <div className="space-y-2 text-[0.8125rem]">
      <Command label={strings.tryTheKey} line={strings.checkCommand(api, value)} />
      {hasScope(scopes, 'messages:send') && (
        <Command label={strings.sendWithTheKey} line={strings.sendCommand(api, value)} />
      )}
      <p>
        <a
          href={`${BASE_PATH}/docs`}
          target="_blank"
          rel="noreferrer"
          className="text-accent-strong underline"
        >
          {strings.reference}
        </a>
      </p>
    </div>
  );
}

function Command({ label, line }: { label: string; line: string }) {
  return (
    <div>
      <p className="text-soft">{label}</p>
      <div className="flex items-center gap-2 rounded-lg bg-sunken px-3 py-2">
        <code
          translate="no"
          className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere] select-all"
        >
          {line}
        </code>
        <CopyButton text={line} label={strings.copyCommand} />
      </div>
    </div>
  );
}
