import { lazyPage } from '../ui/lazy-view.tsx';

// The pages that work without a session, besides the one to sign in.

export const InvitePage = lazyPage(() =>
  import('./invite-page.tsx').then((module) => module.InvitePage),
);
export const ForgotPasswordPage = lazyPage(() =>
  import('./forgot-password-page.tsx').then((module) => module.ForgotPasswordPage),
);
export const ResetPasswordPage = lazyPage(() =>
  import('./reset-password-page.tsx').then((module) => module.ResetPasswordPage),
);
export const ConfirmEmailPage = lazyPage(() =>
  import('./confirm-email-page.tsx').then((module) => module.ConfirmEmailPage),
);
export const SignUpPage = lazyPage(() =>
  import('./sign-up-page.tsx').then((module) => module.SignUpPage),
);
