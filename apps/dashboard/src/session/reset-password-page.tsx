import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/session';
import { useDependencies } from '../api/api-context.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { PasswordField } from '../ui/credential-fields.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { BackToSignIn } from './forgot-password-page.tsx';
import { useLinkToken } from './link-token.ts';
import { SessionFrame } from './session-frame.tsx';

/** The target of the link in a mail. Opening it changes nothing, because programs open the links of mails too. */
export function ResetPasswordPage() {
  const { api, session } = useDependencies();
  const token = useLinkToken();
  const reset = useMutation({
    mutationFn: (form: FormData) =>
      api.request('POST /api/ui/password-resets/{resetToken}', {
        params: { resetToken: token ?? '' },
        body: { password: readRawText(form, 'password') },
      }),
    // The session of this browser may be one of those that ended.
    onSuccess: () => session.end(),
  });

  if (reset.isSuccess) {
    return (
      <SessionFrame title={strings.chooseNewPassword}>
        <div className="space-y-4">
          <Notice tone="good">{strings.passwordReset}</Notice>
          <Link
            to="/sign-in"
            className={`${buttonClass({ kind: 'primary' })} w-full justify-center`}
          >
            {strings.signIn}
          </Link>
        </div>
      </SessionFrame>
    );
  }
  return (
    <SessionFrame title={strings.chooseNewPassword}>
      {token === null ? (
        <Notice tone="bad">{strings.incompleteLink}</Notice>
      ) : (
        <Form
          className="space-y-4"
          error={reset.error}
          onSubmit={(form) => reset.mutate(new FormData(form))}
        >
          <PasswordField kind="new" hint={strings.passwordHint} />
          <p className="text-soft">{strings.resetEndsSessions}</p>
          <FailureNotice error={reset.error} />
          <Button
            type="submit"
            kind="primary"
            className="w-full justify-center"
            disabled={reset.isPending}
          >
            {strings.setNewPassword}
          </Button>
        </Form>
      )}
      <BackToSignIn />
    </SessionFrame>
  );
}
