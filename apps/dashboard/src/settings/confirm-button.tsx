import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureNotice } from '../ui/notice.tsx';

/** For what can't be undone: says what will happen, and does it when that is confirmed. */
export function ConfirmButton(props: {
  label: string;
  /** Said instead of the label where many such buttons are on a page. */
  ariaLabel?: string;
  title: string;
  children: ReactNode;
  onConfirm(): Promise<unknown>;
}) {
  const [isAsking, setAsking] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);

  function run(): void {
    setRunning(true);
    setError(null);
    props
      .onConfirm()
      .then(() => setAsking(false), setError)
      .finally(() => setRunning(false));
  }

  return (
    <>
      <Button
        kind="dangerQuiet"
        size="small"
        aria-label={props.ariaLabel}
        onClick={() => {
          setError(null);
          setAsking(true);
        }}
      >
        {props.label}
      </Button>
      {isAsking && (
        <Dialog title={props.title} onClose={() => setAsking(false)}>
          <div className="space-y-4">
            <div className="text-soft">{props.children}</div>
            <FailureNotice error={error} />
            <div className="flex justify-end gap-2">
              <Button kind="quiet" data-autofocus onClick={() => setAsking(false)}>
                Keep
              </Button>
              <Button kind="danger" disabled={isRunning} onClick={run}>
                {props.label}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
