import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as strings from '#strings/account';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { meQuery, signUpStateQuery } from '../api/workspace-queries.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { PasswordField } from '../ui/credential-fields.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { FactorSettings } from '../second-factor/factor-settings.tsx';
import { CloseAccount } from './close-account.tsx';
import { EmailSettings } from './email-settings.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { Section } from './section.tsx';
import { SignOnSettings } from './sign-on-settings.tsx';
import { SessionSettings } from './session-settings.tsx';

export function AccountSettings() {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const { data: state } = useQuery(signUpStateQuery(api));
  const usesPassword = me?.has_password !== false && state?.passwords !== false;
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: FormData) =>
      api.request('POST /api/ui/me/password', {
        body: {
          current_password: readRawText(form, 'current_password'),
          password: readRawText(form, 'password'),
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
  return (
    <>
      <Section title={names.yourAccount} about={me !== undefined && <bdi>{me.user.name}</bdi>}>
        {usesPassword && (
          <Form
            className="card space-y-4 p-4"
            error={change.error}
            onSubmit={(form) => {
              change.mutate(new FormData(form), { onSuccess: () => form.reset() });
            }}
          >
            <h3 className="font-semibold">{strings.changePassword}</h3>
            <PasswordField label={strings.currentPassword} name="current_password" kind="current" />
            <PasswordField label={strings.newPassword} kind="new" hint={strings.newPasswordHint} />
            <FailureNotice error={change.error} />
            {change.isSuccess && <Notice tone="good">{strings.passwordChanged}</Notice>}
            <Button type="submit" kind="primary" isBusy={change.isPending}>
              {strings.changePassword}
            </Button>
          </Form>
        )}
      </Section>
      {me !== undefined && <FactorSettings me={me} />}
      {me !== undefined && <EmailSettings me={me} usesPassword={usesPassword} />}
      {me !== undefined && <SignOnSettings me={me} />}
      <NotificationSettings />
      <SessionSettings />
      {me !== undefined && <CloseAccount me={me} usesPassword={usesPassword} />}
    </>
  );
}
