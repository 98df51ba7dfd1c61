import type { Me } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as account from '#strings/account';
import * as actions from '#strings/actions';
import * as strings from '#strings/leaving';
import { useDependencies } from '../api/api-context.tsx';
import { RecoveryCodeField } from '../second-factor/code-fields.tsx';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/credential-fields.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { Section } from './section.tsx';

/** Closes the account, after its address was typed. */
export function CloseAccount({ me, usesPassword }: { me: Me; usesPassword: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={strings.closeAccount} about={strings.closeAccountAbout}>
      <Button kind="dangerQuiet" onClick={() => setOpen(true)}>
        {strings.closeAccountMenu}
      </Button>
      {isOpen && <CloseDialog me={me} usesPassword={usesPassword} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function CloseDialog(props: { me: Me; usesPassword: boolean; onClose(): void }) {
  const { me, usesPassword, onClose } = props;
  const { email } = me.user;
  const { api, session } = useDependencies();
  const [typed, setTyped] = useState('');
  const needsCode = usesPassword && me.second_factor !== null;
  const close = useMutation({
    mutationFn: (form: FormData) =>
      api.request('DELETE /api/ui/me', {
        body: {
          ...(usesPassword && { password: readRawText(form, 'password') }),
          ...(needsCode && { code: readRawText(form, 'code') }),
        },
      }),
    onSuccess: () => session.endEverywhere(),
  });
  return (
    <Dialog title={strings.closeAccountQuestion} onClose={onClose}>
      <Form
        className="space-y-4"
        error={close.error}
        onSubmit={(form) => close.mutate(new FormData(form))}
      >
        <p className="text-soft">{strings.whatAccountCloses}</p>
        {usesPassword && <PasswordField label={account.currentPassword} kind="current" />}
        {needsCode && <RecoveryCodeField name="code" label={strings.codeOrRecoveryCode} />}
        <Field label={strings.typeTheEmail(email)} name="email">
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              className="field"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <FailureNotice error={close.error} />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            {actions.cancel}
          </Button>
          <Button
            type="submit"
            kind="danger"
            disabled={typed.trim() !== email}
            isBusy={close.isPending}
          >
            {strings.closeAccount}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
