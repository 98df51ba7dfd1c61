import { useMutation } from '@tanstack/react-query';
import * as strings from '#strings/second-factor';
import { useApi } from '../api/api-context.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { PasswordField } from '../ui/credential-fields.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { readRawText } from '../ui/read-text.ts';
import { TotpCodeField } from './code-fields.tsx';
import { QrCode } from './qr-code.tsx';

/** Asks for the password, shows the secret of a new second factor, and turns it on with a code of the app. */
export function SetUpFactor({ onConfirmed }: { onConfirmed(codes: string[]): void }) {
  const api = useApi();
  const begin = useMutation({
    mutationFn: (form: HTMLFormElement) =>
      api.request('POST /api/ui/totp', {
        body: { password: readRawText(new FormData(form), 'password') },
      }),
  });
  const confirm = useMutation({
    mutationFn: (form: HTMLFormElement) =>
      api.request('POST /api/ui/totp/confirm', {
        body: { code: readRawText(new FormData(form), 'code') },
      }),
    onSuccess: ({ recovery_codes }) => onConfirmed(recovery_codes),
  });

  if (begin.data === undefined) {
    return (
      <Form
        key="password"
        className="space-y-4"
        error={begin.error}
        onSubmit={(form) => begin.mutate(form)}
      >
        <p className="text-soft">{strings.needsApp}</p>
        <PasswordField label={strings.currentPassword} kind="current" />
        <FailureNotice error={begin.error} />
        <Button type="submit" kind="primary" isBusy={begin.isPending}>
          {strings.setUp}
        </Button>
      </Form>
    );
  }
  const { secret, uri } = begin.data;
  return (
    <Form
      key="code"
      className="space-y-4"
      error={confirm.error}
      onSubmit={(form) => confirm.mutate(form)}
    >
      <p className="text-soft">{strings.scan}</p>
      <QrCode text={uri} label={strings.qrCode} />
      <div>
        <p className="text-[0.8125rem] text-faint">{strings.orType}</p>
        <div className="flex items-center gap-2">
          <code
            translate="no"
            data-totp-secret
            className="min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere] select-all"
          >
            {secret.replaceAll(/.{4}(?=.)/g, '$& ')}
          </code>
          <CopyButton text={secret} label={strings.copySecret} />
        </div>
        <a href={uri} className="text-[0.8125rem] text-accent underline underline-offset-2">
          {strings.openApp}
        </a>
      </div>
      <TotpCodeField name="code" hint={strings.codeHint} autoFocus />
      <FailureNotice error={confirm.error} />
      <Button type="submit" kind="primary" isBusy={confirm.isPending}>
        {strings.turnOn}
      </Button>
    </Form>
  );
}
