import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { Section } from './section.tsx';

export function AccountSettings() {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const change = useMutation({
    mutationFn: (form: FormData) =>
      api.post('/api/ui/me/password', {
        current_password: form.get('current_password'),
        password: form.get('password'),
      }),
  });
  return (
    <Section
      title="Your account"
      about={me === undefined ? '' : `${me.user.name} · ${me.user.email}`}
    >
      <form
        className="card space-y-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          change.mutate(new FormData(form), { onSuccess: () => form.reset() });
        }}
      >
        <h3 className="font-semibold">Change password</h3>
        <Field label="Present password">
          {(control) => (
            <input
              {...control}
              name="current_password"
              type="password"
              autoComplete="current-password"
              required
              className="field"
            />
          )}
        </Field>
        <Field label="New password" hint="At least 12 characters.">
          {(control) => (
            <input
              {...control}
              name="password"
              type="password"
              autoComplete="new-password"
              required
              className="field"
            />
          )}
        </Field>
        <FailureNotice error={change.error} />
        {change.isSuccess && (
          <Notice look="good">Changed. Everywhere else you have been signed out.</Notice>
        )}
        <Button type="submit" kind="primary" disabled={change.isPending}>
          Change password
        </Button>
      </form>
    </Section>
  );
}
