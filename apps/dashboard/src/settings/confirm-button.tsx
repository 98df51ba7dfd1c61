import { type ReactNode, useState } from 'react';
import * as strings from '#strings/settings';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureNotice } from '../ui/notice.tsx';

/** A button for an action that cannot be undone, such as a deletion. It asks for confirmation in a dialog. */
export function ConfirmButton(props: {
  label: string;
  /** Distinguishes buttons with the same label on one page. */
  ariaLabel?: string;
  title: string;
  /** Set if the action destroys nothing. */
  isHarmless?: boolean;
  /** Shows the button as a small link, inside a text. */
  isSubtle?: boolean;
  /** If false, hides the button, but not its open dialog. */
  isOffered?: boolean;
  children: ReactNode;
  /** `close` closes the dialog early, for an action that opens another one. */
  onConfirm(close: () => void): Promise<unknown>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const close = (): void => setOpen(false);
  function run(): void {
    setRunning(true);
    setError(null);
    props
      .onConfirm(close)
      .then(close, setError)
      .finally(() => setRunning(false));
  }

  return (
    <>
      <Button
        kind={
          props.isHarmless === true ? 'plain' : props.isSubtle === true ? 'quiet' : 'dangerQuiet'
        }
        size={props.isSubtle === true ? 'link' : 'small'}
        hidden={props.isOffered === false}
        aria-label={props.ariaLabel}
        onClick={() => {
          setError(null);
          setOpen(true);
        }}
      >
        {props.label}
      </Button>
      {isOpen && (
        <Dialog title={props.title} onClose={close}>
          <div className="space-y-4">
            <div className="text-soft">{props.children}</div>
            <FailureNotice error={error} />
            <div className="flex justify-end gap-2">
              <Button kind="quiet" data-autofocus onClick={close}>
                {strings.goBack}
              </Button>
              <Button
                kind={props.isHarmless === true ? 'primary' : 'danger'}
                isBusy={isRunning}
                onClick={run}
              >
                {props.label}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
