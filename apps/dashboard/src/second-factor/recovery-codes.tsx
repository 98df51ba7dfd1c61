import * as strings from '#strings/second-factor';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { downloadFile } from '../ui/download-file.ts';
import { Notice } from '../ui/notice.tsx';

/** Shows new recovery codes, which can’t be read again, until the user has saved them. */
export function RecoveryCodes(props: { codes: readonly string[]; email: string; onDone(): void }) {
  const { codes, email, onDone } = props;
  const text = `${strings.codesTitle({ host: location.host, email })}\n\n${codes.join('\n')}\n`;
  return (
    <div className="space-y-4">
      <Notice tone="wait">{strings.codesWarning}</Notice>
      <div data-print className="rounded-lg bg-sunken p-3">
        <p className="mb-2 text-[0.8125rem] text-soft">
          {strings.codesTitle({ host: location.host, email })}
        </p>
        <ul
          translate="no"
          aria-label={strings.recoveryCodes}
          className="grid grid-cols-1 gap-x-6 gap-y-1 font-mono select-all min-[26rem]:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={strings.copyCodes} />
        <Button
          size="small"
          onClick={() =>
            downloadFile(
              new Blob([text], { type: 'text/plain' }),
              `${strings.codesFile(location.hostname)}.txt`,
            )
          }
        >
          {strings.download}
        </Button>
        <Button size="small" onClick={() => window.print()}>
          {strings.print}
        </Button>
      </div>
      <Button kind="primary" onClick={onDone}>
        {strings.haveSavedCodes}
      </Button>
    </div>
  );
}
