import * as actions from '#strings/actions';

import { X } from './icons.ts';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { readKey } from './read-key.ts';

/**
 * A modal dialog based on the `<dialog>` element, which traps focus, closes on Escape and restores
 * focus. Libraries that do this add style elements, which our content security policy forbids.
 *
 * The initial focus is on the element with `data-autofocus`, else on the first field or the title.
 * React's `autoFocus` has no effect: React calls `focus()` while the dialog is still closed.
 */
export function Dialog(props: {
  title: string;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
}) {
  const { title, onClose, children, wide = false } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  // A layout effect: React runs its cleanup before it removes the element, and only a dialog that is still in
  // the document restores the focus when it closes.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // By default the browser focuses the first control, Close, so that Enter would close the dialog.
    const first =
      element?.querySelector<HTMLElement>('[data-autofocus]') ??
      element?.querySelector<HTMLElement>('input, select, textarea') ??
      heading.current;
    first?.focus();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        // An Escape that ends the input of a word does not close the dialog.
        if (event.key === 'Escape' && readKey(event) === null) event.preventDefault();
      }}
      onClose={() => {
        // In development, React closes and reopens each dialog once, and the event arrives later.
        if (dialog.current?.open !== true) onClose();
      }}
      className={`m-auto max-h-[calc(100dvh-1.5rem)] w-[calc(100%-1.5rem)] overflow-auto rounded-xl border border-line bg-surface shadow-float ${wide ? 'max-w-2xl' : 'max-w-md'}`}
    >
      <div className="p-5">
        <header className="mb-4 flex items-center justify-between gap-4">
          <h2
            ref={heading}
            id={titleId}
            tabIndex={-1}
            className="text-base font-semibold outline-none"
          >
            {title}
          </h2>
          <Button
            kind="quiet"
            size="icon"
            className="-my-2 -mr-2"
            aria-label={actions.close}
            onClick={() => dialog.current?.close()}
          >
            <X size={18} aria-hidden />
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
