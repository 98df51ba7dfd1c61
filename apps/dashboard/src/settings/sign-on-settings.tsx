import type { Me } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as strings from '#strings/account';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { signUpStateQuery } from '../api/workspace-queries.ts';
import { SignOnFailure } from '../session/sign-on.tsx';
import { useSignOnResult } from '../session/use-sign-on-result.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/credential-fields.tsx';
import { Form } from '../ui/form.tsx';
import { formatFullTime } from '../ui/format.ts';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { Section } from './section.tsx';

/** Shows whether the user is connected with the identity provider, and changes it. */
export function SignOnSettings({ me }: { me: Me }) {
  const api = useApi();
  const client = useQueryClient();
  const { data: state } = useQuery(signUpStateQuery(api));
  const { isConnected: hasJustConnected } = useSignOnResult();
  const { identity } = me;
  const connect = useMutation({
    mutationFn: (form: FormData) =>
      api.request('POST /api/ui/me/identity', {
        body: { password: readRawText(form, 'password'), return_to: window.location.pathname },
      }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const disconnect = useMutation({
    mutationFn: (form: FormData) =>
      api.request('POST /api/ui/me/identity/disconnect', {
        body: { password: readRawText(form, 'password') },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.me }),
  });
  if (state?.single_sign_on == null) return null;
  const change = identity === null ? connect : disconnect;
  const label = identity === null ? strings.connectSignOn : strings.disconnectSignOn;
  const canChange = state.passwords && me.has_password;
  return (
    <Section
      title={strings.singleSignOn}
      about={
        identity === null
          ? strings.signOnIsNotConnected
          : strings.signOnIsConnected({
              email: identity.email,
              time: formatFullTime(identity.connected_at),
            })
      }
    >
      <div className="space-y-4">
        <SignOnFailure />
        {hasJustConnected && <Notice tone="good">{strings.signOnConnected}</Notice>}
        {canChange ? (
          <Form
            className="card space-y-4 p-4"
            error={change.error}
            onSubmit={(form) => {
              change.mutate(new FormData(form), { onSuccess: () => form.reset() });
            }}
          >
            <h3 className="font-semibold">{label}</h3>
            <PasswordField label={strings.currentPassword} kind="current" />
            <FailureNotice error={change.error} />
            <Button type="submit" isBusy={change.isPending}>
              {label}
            </Button>
          </Form>
        ) : (
          <Notice tone="info">
            {state.passwords ? strings.noPasswordYet : strings.passwordsAreOff}
          </Notice>
        )}
      </div>
    </Section>
  );
}
