import type { Me } from '@switchboard/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as strings from '#strings/account';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/credential-fields.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { Section } from './section.tsx';

/** Shows the address of the user, and changes it. */
export function EmailSettings({ me, usesPassword }: { me: Me; usesPassword: boolean }) {
  const api = useApi();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: FormData) =>
      api.request('POST /api/ui/me/email', {
        body: { email: readRawText(form, 'email'), password: readRawText(form, 'password') },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.me }),
  });
  const { email } = me.user;
  return (
    <Section
      title={strings.emailAddress}
      about={
        me.email_confirmed ? strings.emailIsConfirmed(email) : strings.emailIsNotConfirmed(email)
      }
    >
      {me.pending_email !== null && (
        <div className="mb-4">
          <Notice tone="wait">{strings.emailIsPending(me.pending_email)}</Notice>
        </div>
      )}
      {!usesPassword ? (
        <Notice tone="info">{strings.emailFollowsSignOn}</Notice>
      ) : me.sends_mail ? (
        <Form
          className="card space-y-4 p-4"
          error={change.error}
          onSubmit={(form) => {
            change.mutate(new FormData(form), { onSuccess: () => form.reset() });
          }}
        >
          <h3 className="font-semibold">{strings.changeEmail}</h3>
          <Field label={strings.newEmail} name="email" hint={strings.newEmailHint}>
            {(control) => (
              <input {...control} type="email" autoComplete="email" required className="field" />
            )}
          </Field>
          <PasswordField label={strings.currentPassword} kind="current" />
          <FailureNotice error={change.error} />
          <Button type="submit" kind="primary" isBusy={change.isPending}>
            {strings.changeEmail}
          </Button>
        </Form>
      ) : (
        <Notice tone="info">{strings.emailNeedsMail}</Notice>
      )}
    </Section>
  );
}
