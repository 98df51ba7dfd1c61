import type { SessionAnswer } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useApi, useConnections } from '../api/api-context.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { SessionFrame } from './session-frame.tsx';

export function SignInPage() {
  const { session } = useConnections();
  const api = useApi();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/sign-in' });
  const signIn = useMutation({
    mutationFn: (form: FormData) =>
      api.post<SessionAnswer>('/api/ui/sessions', {
        email: form.get('email'),
        password: form.get('password'),
      }),
    onSuccess: async ({ token }) => {
      session.begin(token);
      await navigate({ href: next ?? '/', replace: true });
    },
  });

  return (
    <SessionFrame title="Sign in">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(new FormData(event.currentTarget));
        }}
      >
        <Field label="Email">
          {(control) => (
            <input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              required
              autoFocus
              className="field"
            />
          )}
        </Field>
        <Field label="Password">
          {(control) => (
            <input
              {...control}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              className="field"
            />
          )}
        </Field>
        <FailureNotice error={signIn.error} />
        <Button
          type="submit"
          kind="primary"
          className="w-full justify-center"
          disabled={signIn.isPending}
        >
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      <p className="mt-5 text-center text-soft">
        New here?{' '}
        <Link to="/sign-up" className="font-medium text-accent underline underline-offset-2">
          Create an account
        </Link>
      </p>
    </SessionFrame>
  );
}
