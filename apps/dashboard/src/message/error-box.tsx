import { Link } from '@tanstack/react-router';
import * as strings from '#strings/message';
import { CircleAlert } from '../ui/icons.ts';
import { errorPageOf, explainError, readProviderText } from './explain-error.ts';

// The minimum height keeps each target large enough when the links are below each other.
const LINK = 'inline-flex min-h-6 items-center font-medium text-ink underline underline-offset-2';

export function ErrorBox(props: {
  workspaceId: string;
  code: string | null;
  detail: string | null;
}) {
  const { workspaceId, code, detail } = props;
  const { what, todo } = explainError(code);
  const page = code === null ? null : errorPageOf(code);
  const theirs = code === null ? detail : readProviderText(detail);
  return (
    <section aria-label={strings.whatWentWrong} className="rounded-xl bg-bad-soft p-4">
      <p className="flex gap-2 font-semibold text-bad">
        <CircleAlert size={17} aria-hidden className="mt-0.5 shrink-0" />
        {what}
      </p>
      <p className="mt-1.5 text-ink">{todo}</p>
      <p className="mt-2 font-mono text-xs [overflow-wrap:anywhere] text-soft">
        {[code, theirs].filter((part) => part !== null).join(' · ')}
      </p>
      {code !== null && (
        <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
          <Link
            to="/w/$workspaceId/messages"
            params={{ workspaceId }}
            search={{ error_code: code }}
            className={LINK}
          >
            {strings.allMessagesWithThisError}
          </Link>
          {page !== null && (
            <a href={page} target="_blank" rel="noreferrer noopener" className={LINK}>
              {strings.twilioPageAbout(code)}
            </a>
          )}
        </p>
      )}
    </section>
  );
}
