import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/session';
import { useApi } from '../api/api-context.tsx';
import { signUpStateQuery } from '../api/workspace-queries.ts';
import { Button } from '../ui/button.tsx';
import { EmailField } from '../ui/credential-fields.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { SessionFrame } from './session-frame.tsx';

/** Requests a link for a new password. The page shows the same for every address. */
export function ForgotPasswordPage() {
  const api = useApi();
  const { data } = useQuery(signUpStateQuery(api));
  const request = useMutation({
    mutationFn: (form: FormData) =>
      api.request('POST /api/ui/password-resets', { body: { email: readRawText(form, 'email') } }),
  });
  return (
    <SessionFrame title={strings.forgotPassword}>
      {data?.sends_mail === false ? (
        <Notice tone="info">{strings.askOperator}</Notice>
      ) : request.isSuccess ? (
        <Notice tone="good">{strings.resetRequested}</Notice>
      ) : (
        <Form
          className="space-y-4"
          error={request.error}
          onSubmit={(form) => request.mutate(new FormData(form))}
        >
          <p className="text-soft">{strings.forgotPasswordAbout}</p>
          <EmailField autoFocus />
          <FailureNotice error={request.error} />
          <Button
            type="submit"
            kind="primary"
            className="w-full justify-center"
            disabled={request.isPending}
          >
            {strings.sendLink}
          </Button>
        </Form>
      )}
      <BackToSignIn />
    </SessionFrame>
  );
}

export function BackToSignIn() {
  return (
    <p className="mt-5 text-center">
      <Link to="/sign-in" className="font-medium text-accent underline underline-offset-2">
        {strings.backToSignIn}
      </Link>
    </p>
  );
}
