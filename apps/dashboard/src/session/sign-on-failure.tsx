import { SIGN_ON_ERRORS } from '@switchboard/contracts';
import * as strings from '#strings/sign-on-errors';
import { Notice } from '../ui/notice.tsx';
import { useSignOnResult } from './use-sign-on-result.ts';

export function SignOnFailure() {
  const { errorCode } = useSignOnResult();
  const error = SIGN_ON_ERRORS.find((each) => each === errorCode) ?? 'internal_error';
  return <Notice tone="bad">{strings.signOnErrors[error]}</Notice>;
}
