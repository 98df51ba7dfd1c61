import { CircleAlert } from '../ui/icons.ts';
import { explainError } from './explain-error.ts';

export function ErrorBox({ code, detail }: { code: string; detail: string | null }) {
  const { what, todo } = explainError(code);
  return (
    <section aria-label="What went wrong" className="rounded-xl bg-bad-soft p-4">
      <p className="flex gap-2 font-semibold text-bad">
        <CircleAlert size={17} aria-hidden className="mt-0.5 shrink-0" />
        {what}
      </p>
      <p className="mt-1.5 text-ink">{todo}</p>
      <p className="mt-2 font-mono text-xs [overflow-wrap:anywhere] text-soft">
        {code}
        {detail !== null && ` · ${detail}`}
      </p>
    </section>
  );
}
