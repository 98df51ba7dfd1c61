import * as actions from '#strings/actions';
import * as strings from '#strings/webhooks';

import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Shows the secret of an endpoint, once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog title={strings.signingSecret} onClose={onClose}>
      <div className="space-y-4">
        <Notice tone="wait">{strings.copySecretNow}</Notice>
        <div className="flex items-center gap-2 rounded-lg bg-sunken p-3">
          <code
            data-secret
            className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere] select-all"
          >
            {secret}
          </code>
          <CopyButton text={secret} label={strings.copySecret} />
        </div>
        <div className="flex justify-end">
          <Button kind="primary" onClick={onClose}>
            {actions.haveCopied}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
