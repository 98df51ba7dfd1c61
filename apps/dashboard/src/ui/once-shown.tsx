import { type ReactNode, createContext, use, useState } from 'react';
import * as actions from '#strings/actions';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

/** A value that the server returns only once. */
export interface OnceShown {
  /** For tests: the attribute of the element with the value. */
  kind: 'key' | 'secret';
  title: string;
  warning: string;
  value: string;
  copyLabel: string;
  /** How to use the value. */
  below?: ReactNode;
}

const OnceShownContext = createContext<(shown: OnceShown) => void>(() => undefined);

/** Returns a function that shows a value in a dialog until the user closes it. */
export const useShowOnce = (): ((shown: OnceShown) => void) => use(OnceShownContext);

/** Keeps the dialog outside the panels: a value that can’t be read again survives when its panel is rendered again or fails. */
export function OnceShownProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<OnceShown | null>(null);
  const close = (): void => setShown(null);
  return (
    <OnceShownContext value={setShown}>
      {children}
      {shown !== null && (
        <Dialog title={shown.title} onClose={close}>
          <div className="space-y-4">
            <Notice tone="wait">{shown.warning}</Notice>
            <div className="flex items-center gap-2 rounded-lg bg-sunken p-3">
              <code
                translate="no"
                {...{ [`data-${shown.kind}`]: true }}
                className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere] select-all"
              >
                {shown.value}
              </code>
              <CopyButton text={shown.value} label={shown.copyLabel} />
            </div>
            {shown.below}
            <div className="flex justify-end">
              <Button kind="primary" onClick={close}>
                {actions.haveCopied}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </OnceShownContext>
  );
}
