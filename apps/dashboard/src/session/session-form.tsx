import type { SessionResponse } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as strings from '#strings/session';
import { useDependencies } from '../api/api-context.tsx';
import type { Api } from '../api/create-api.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';

const STAY = 'stay_signed_in';

/** A form that starts a session from the server's response. */
export function SessionForm(props: {
  /** Starts the session with the values of the form. Returns null if the form has another step. */
  start(
    api: Api,
    read: (name: string) => string,
    choice: { stay_signed_in: boolean },
  ): Promise<SessionResponse | null>;
  /** The path to navigate to afterwards. */
  next: string;
  action: string;
  pending: string;
  /** Hides what the user has chosen in the first step. */
  isSecondStep?: boolean;
  children: ReactNode;
}) {
  const { api, session, drafts } = useDependencies();
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: (form: FormData) =>
      props.start(api, (name) => readRawText(form, name), { stay_signed_in: form.has(STAY) }),
    onSuccess: async (started, form) => {
      if (started === null) return;
      const { token, user } = started;
      drafts.open(user.id);
      session.begin(token, { stays: form.has(STAY) });
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
      <label className={props.isSecondStep === true ? 'hidden' : 'flex items-start gap-2.5'}>
        <input type="checkbox" name={STAY} className="mt-1" />
        <span>
          {strings.staySignedIn}
          <span className="block text-[0.8125rem] text-faint">{strings.staySignedInHint}</span>
        </span>
      </label>
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
