import { X } from './icons.ts';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

/**
 * The browser's own modal dialog: it traps focus, closes on Escape and gives focus back. Libraries
 * that do this add style elements to the page, which our content security policy forbids.
 */
export function Dialog(props: {
  title: string;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
}) {
  const { title, onClose, children, wide = false } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      className={`m-auto max-h-[calc(100dvh-1.5rem)] w-[calc(100%-1.5rem)] overflow-auto rounded-xl border border-line bg-surface shadow-float ${wide ? 'max-w-2xl' : 'max-w-md'}`}
    >
      <div className="p-5">
        <header className="mb-4 flex items-center justify-between gap-4">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <Button
            kind="quiet"
            size="icon"
            className="-my-2 -mr-2"
            aria-label="Close"
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
