import type { SessionAnswer } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useApi, useConnections } from '../api/api-context.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { SessionFrame } from './session-frame.tsx';

/** Open to the first user, with an invite, or where the operator allows it; the service decides. */
export function SignUpPage() {
  const { session } = useConnections();
  const api = useApi();
  const navigate = useNavigate();
  const { invite } = useSearch({ from: '/sign-up' });
  const signUp = useMutation({
    mutationFn: (form: FormData) =>
      api.post<SessionAnswer>('/api/ui/users', {
        name: form.get('name'),
        email: form.get('email'),
        password: form.get('password'),
        ...(invite !== undefined && { invite_token: invite }),
      }),
    onSuccess: async ({ token }) => {
      session.begin(token);
      await navigate({ to: '/', replace: true });
    },
  });

  return (
    <SessionFrame title="Create an account">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          signUp.mutate(new FormData(event.currentTarget));
        }}
      >
        {invite !== undefined && <Notice look="info">You have been invited to a workspace.</Notice>}
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              name="name"
              autoComplete="name"
              required
              maxLength={100}
              className="field"
            />
          )}
        </Field>
        <Field label="Email">
          {(control) => (
            <input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              required
              className="field"
            />
          )}
        </Field>
        <Field label="Password" hint="At least 12 characters. A sentence is easier to remember.">
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
        <FailureNotice error={signUp.error} />
        <Button
          type="submit"
          kind="primary"
          className="w-full justify-center"
          disabled={signUp.isPending}
        >
          {signUp.isPending ? 'Creating…' : 'Create account'}
        </Button>
      </form>
      <p className="mt-5 text-center text-soft">
        Have an account?{' '}
        <Link to="/sign-in" className="font-medium text-accent underline underline-offset-2">
          Sign in
        </Link>
      </p>
    </SessionFrame>
  );
}
