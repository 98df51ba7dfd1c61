import type { ErrorCodes } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import { explainError } from '../message/explain-error.ts';
import { formatCount } from '../ui/format.ts';
import { ArrowDownRight, ArrowUpRight, CircleCheck } from '../ui/icons.ts';
import { EmptyState } from '../ui/notice.tsx';

/** The most frequent error codes, compared with the preceding time range. */
export function ErrorCodeList(props: { workspaceId: string; errors: ErrorCodes }) {
  const { workspaceId, errors } = props;
  return (
    <section aria-labelledby="errors-title" className="card">
      <h2 id="errors-title" className="px-4 pt-4 pb-2 font-semibold">
        Error codes
      </h2>
      {errors.data.length === 0 ? (
        <EmptyState icon={<CircleCheck size={20} aria-hidden />} title="No errors">
          No message failed in this time range or the preceding one.
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
                <Change count={count} before={before} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Change({ count, before }: { count: number; before: number }) {
  if (count === before) return <p className="text-xs text-faint">unchanged</p>;
  const rises = count > before;
  const Arrow = rises ? ArrowUpRight : ArrowDownRight;
  return (
    <p
      className={`flex items-center justify-end gap-0.5 text-xs font-medium ${rises ? 'text-bad' : 'text-good'}`}
    >
      <Arrow size={13} aria-hidden />
      {rises ? 'up' : 'down'} from {formatCount(before)}
    </p>
  );
}
