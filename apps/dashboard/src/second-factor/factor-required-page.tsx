import type { Me } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as strings from '#strings/second-factor';
import { SessionFrame } from '../session/session-frame.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { Button } from '../ui/button.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpFactor } from './set-up-factor.tsx';

/** Replaces a workspace that is closed to the user until they have set up a second factor. */
export function FactorRequiredPage(props: { me: Me; workspaceId: string; onDone(): void }) {
  const { me, workspaceId, onDone } = props;
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { signOut, isPending } = useSignOut();
  if (codes !== null) {
    return (
      <SessionFrame title={strings.recoveryCodes}>
        <RecoveryCodes codes={codes} email={me.user.email} onDone={onDone} />
      </SessionFrame>
    );
  }
  const name = me.workspaces.find(({ id }) => id === workspaceId)?.name ?? '';
  const others = me.workspaces.filter((each) => !each.needs_second_factor);
  return (
    <SessionFrame title={strings.required}>
      <p className="mb-4 text-soft">{strings.requiredBy(name)}</p>
      <SetUpFactor onConfirmed={setCodes} />
      <div className="mt-6 border-t border-line pt-4">
        {others.map(({ id, name: other }) => (
          <Link
            key={id}
            to="/w/$workspaceId/messages"
            params={{ workspaceId: id }}
            className="block py-1 text-accent underline underline-offset-2"
          >
            {strings.openWorkspace(other)}
          </Link>
        ))}
        <Button kind="quiet" size="small" className="-ml-2.5" isBusy={isPending} onClick={signOut}>
          {strings.signOut}
        </Button>
      </div>
    </SessionFrame>
  );
}
