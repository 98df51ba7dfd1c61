import type { ProviderAccount } from '@switchboard/contracts';
import { useState } from 'react';
import * as strings from '#strings/numbers';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { listsNumbers, nameOf } from '../providers/vendors.ts';
import { Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { NumberChoice } from './number-choice.tsx';

/** Adds numbers from the list of a provider account. Shows nothing if no account has a list. */
export function ImportNumbers(props: SectionProps & { accounts: readonly ProviderAccount[] }) {
  const { workspaceId, accounts } = props;
  const [open, setOpen] = useState<ProviderAccount | null>(null);
  const listed = accounts.filter(listsNumbers);
  if (listed.length === 0) return null;
  return (
    <Section title={strings.importNumbers} about={strings.importNumbersAbout}>
      <div className="card flex flex-wrap gap-2 p-4">
        {listed.map((account) => (
          <Button key={account.id} onClick={() => setOpen(account)}>
            <span>{strings.numbersOf(<bdi>{nameOf(account)}</bdi>)}</span>
          </Button>
        ))}
      </div>
      {open !== null && (
        <Dialog wide title={strings.numbersOfNamed(nameOf(open))} onClose={() => setOpen(null)}>
          <NumberChoice workspaceId={workspaceId} account={open} onClose={() => setOpen(null)} />
        </Dialog>
      )}
    </Section>
  );
}
