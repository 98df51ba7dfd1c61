import type { ErrorCodes } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import * as strings from '#strings/overview';
import { explainError } from '../message/explain-error.ts';
import { formatCount } from '../ui/format.ts';
import { CircleCheck } from '../ui/icons.ts';
import { EmptyState } from '../ui/notice.tsx';
import { Change } from './change.tsx';

/** The most frequent error codes, compared with the preceding time range. */
export function ErrorCodeList(props: { workspaceId: string; errors: ErrorCodes }) {
  const { workspaceId, errors } = props;
  return (
    <section aria-labelledby="errors-title" className="card">
      <h2 id="errors-title" className="px-4 pt-4 pb-2 font-semibold">
        {strings.errorCodes}
      </h2>
      {errors.data.length === 0 ? (
        <EmptyState icon={<CircleCheck size={20} aria-hidden />} title={strings.noErrors}>
          {strings.noErrorsHint}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {errors.data.map(({ error_code: code, count, count_before: before }) => (
            <li key={code} className="flex items-center gap-4 px-4 py-3">
              <code className="w-16 shrink-0 font-mono text-xs [overflow-wrap:anywhere]">
                {code}
              </code>
              <div className="min-w-0 flex-1">
                <Link
                  to="/w/$workspaceId/messages"
                  params={{ workspaceId }}
                  search={{ error_code: code, startDate: errors.from, endDate: errors.to }}
                  className="underline-offset-2 hover:underline"
                >
                  {explainError(code).what}
                </Link>
                <p className="text-[0.8125rem] text-faint">{explainError(code).todo}</p>
              </div>
              <div className="shrink-0 text-right tabular-nums">
                <p className="font-semibold">{formatCount(count)}</p>
                <Change value={count} before={before} isRiseGood={false} format={formatCount} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
