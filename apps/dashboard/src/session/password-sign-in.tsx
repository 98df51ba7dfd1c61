import { FACTOR_REQUIRED } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import * as strings from '#strings/session';
import { ApiError } from '../api/api-error.ts';
import { useApi } from '../api/api-context.tsx';
import { signUpStateQuery } from '../api/workspace-queries.ts';
import { RecoveryCodeField, TotpCodeField } from '../second-factor/code-fields.tsx';
import { Button } from '../ui/button.tsx';
import { EmailField, PasswordField } from '../ui/credential-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { inviteHash, useInviteToken } from './invite-token.ts';
import { SessionForm } from './session-form.tsx';
import { SessionFrame } from './session-frame.tsx';

/** The parameter with the code of the second step, which only users with a second factor see. */
type Step = 'password' | 'totp_code' | 'recovery_code';

/** The form with address and password, and its second step. `children` are above it. */
export function PasswordSignIn({ next, children }: { next: string; children: ReactNode }) {
  const { data } = useQuery(signUpStateQuery(useApi()));
  const invite = useInviteToken();
  const [step, setStep] = useState<Step>('password');
  const isFirst = step === 'password';
  return (
    <SessionFrame title={isFirst ? strings.signIn : strings.enterCode}>
      <div className={isFirst ? 'mb-4 space-y-4' : 'hidden'}>{children}</div>
      <SessionForm
        start={async (api, read, choice) => {
          const code = isFirst ? {} : { [step]: read(step) };
          try {
            return await api.request('POST /api/ui/sessions', {
              body: { email: read('email'), password: read('password'), ...code, ...choice },
            });
          } catch (error) {
            const needsCode = error instanceof ApiError && error.message === FACTOR_REQUIRED;
            if (!needsCode) throw error;
            setStep('totp_code');
            return null;
          }
        }}
        next={invite === null ? next : `/invite#${inviteHash(invite)}`}
        action={strings.signIn}
        pending={strings.signingIn}
        isSecondStep={!isFirst}
      >
        {invite !== null && isFirst && <Notice tone="info">{strings.signInToAccept}</Notice>}
        {/* The second step repeats the request, so that these fields stay in the form. */}
        <div className={isFirst ? 'space-y-4' : 'hidden'}>
          <EmailField autoFocus />
          <PasswordField kind="current" />
        </div>
        {step === 'totp_code' && (
          <TotpCodeField key={step} name={step} hint={strings.codeHint} autoFocus />
        )}
        {step === 'recovery_code' && (
          <RecoveryCodeField key={step} name={step} hint={strings.recoveryCodeHint} autoFocus />
        )}
      </SessionForm>
      {isFirst ? (
        <p className="mt-5 text-center">
          <Link to="/forgot-password" className="text-accent underline underline-offset-2">
            {strings.forgotPassword}
          </Link>
        </p>
      ) : (
        <OtherSteps step={step} onStep={setStep} />
      )}
      {isFirst && (invite !== null || data?.sign_up === 'open') && (
        <p className="mt-5 text-center text-soft">
          {strings.newHere((text) => (
            <Link
              to="/sign-up"
              {...(invite !== null && { hash: inviteHash(invite) })}
              className="font-medium text-accent underline underline-offset-2"
            >
              {text}
            </Link>
          ))}
        </p>
      )}
    </SessionFrame>
  );
}

function OtherSteps({ step, onStep }: { step: Step; onStep(step: Step): void }) {
  const isRecovery = step === 'recovery_code';
  return (
    <div className="mt-5 space-y-3 text-center">
      {isRecovery && <p className="text-soft">{strings.lostCodes}</p>}
      <Button
        kind="quiet"
        size="small"
        onClick={() => onStep(isRecovery ? 'totp_code' : 'recovery_code')}
      >
        {isRecovery ? strings.useApp : strings.useRecoveryCode}
      </Button>
      <Button kind="quiet" size="small" onClick={() => onStep('password')}>
        {strings.backToPassword}
      </Button>
    </div>
  );
}
