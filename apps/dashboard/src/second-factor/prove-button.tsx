import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as strings from '#strings/second-factor';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/credential-fields.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { RecoveryCodeField } from './code-fields.tsx';

/** A button for an action that needs the password and a code. It asks for both in a dialog. */
export function ProveButton(props: {
  label: string;
  title: string;
  isDanger?: boolean;
  children: ReactNode;
  onProven(proof: { password: string; code: string }): Promise<unknown>;
}) {
  const { label, title, isDanger = false } = props;
  const [isOpen, setOpen] = useState(false);
  const run = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const data = new FormData(form);
      return props.onProven({
        password: readRawText(data, 'password'),
        code: readRawText(data, 'code'),
      });
    },
    onSuccess: () => setOpen(false),
  });
  return (
    <>
      <Button
        kind={isDanger ? 'dangerQuiet' : 'plain'}
        size="small"
        onClick={() => {
          run.reset();
          setOpen(true);
        }}
      >
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <Form className="space-y-4" error={run.error} onSubmit={(form) => run.mutate(form)}>
            <p className="text-soft">{props.children}</p>
            <PasswordField label={strings.currentPassword} kind="current" />
            <RecoveryCodeField name="code" label={strings.code} hint={strings.anyCodeHint} />
            <FailureNotice error={run.error} />
            <div className="flex justify-end">
              <Button type="submit" kind={isDanger ? 'danger' : 'primary'} isBusy={run.isPending}>
                {label}
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  );
}
