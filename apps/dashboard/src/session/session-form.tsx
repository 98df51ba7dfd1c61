import type { SessionAnswer } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi, useDependencies } from '../api/api-context.tsx';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';

/** A form that starts a session from the server's response. */
export function SessionForm(props: {
  /** The API path that the form posts to. */
  path: string;
  read(form: FormData): Record<string, unknown>;
  /** The path to navigate to afterwards. */
  next: string;
  action: string;
  pending: string;
  children: ReactNode;
}) {
  const { session } = useDependencies();
  const api = useApi();
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: (form: FormData) => api.post<SessionAnswer>(props.path, props.read(form)),
    onSuccess: async ({ token }) => {
      session.begin(token);
      await navigate({ href: props.next, replace: true });
    },
  });
  return (
    <Form
      className="space-y-4"
      error={begin.error}
      onSubmit={(form) => begin.mutate(new FormData(form))}
    >
      {props.children}
      <FailureNotice error={begin.error} />
      <Button
        type="submit"
        kind="primary"
        className="w-full justify-center"
        disabled={begin.isPending}
      >
        {begin.isPending ? props.pending : props.action}
      </Button>
    </Form>
  );
}
