import { type ReactNode, useEffect, useRef, useState } from 'react';
import { readKey } from './read-key.ts';

/** The attributes of the button that opens a drop-down. */
export interface DropDownButton {
  'aria-expanded': boolean;
  'aria-controls': string;
  onClick(): void;
}

/**
 * A button with content below it. Escape, a click outside and a move of the focus outside close the
 * content.
 */
export function DropDown(props: {
  /** The id of the content. */
  id: string;
  /** With `relative`, the content is below the button; otherwise below the positioned element around it. */
  className: string;
  contentClass: string;
  labelledBy: string;
  onOpen?(): void;
  button(attributes: DropDownButton): ReactNode;
  children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const { id, children } = props;
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  /** Returns the focus to the button. A dialog that the content opens returns it there, too. */
  function close(): void {
    setOpen(false);
    root.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
  }

  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && root.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);

  return (
    <div
      ref={root}
      className={props.className}
      onKeyDown={(event) => {
        if (readKey(event) !== 'Escape' || !isOpen) return;
        // Otherwise, Escape would also close the dialog behind the content.
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      {props.button({
        'aria-expanded': isOpen,
        'aria-controls': id,
        onClick() {
          if (!isOpen) props.onOpen?.();
          setOpen(!isOpen);
        },
      })}
      <div
        id={id}
        role="group"
        aria-labelledby={props.labelledBy}
        hidden={!isOpen}
        className={`scroller absolute top-full z-20 mt-1 max-h-72 max-w-[calc(100vw-2rem)] rounded-xl border border-line bg-surface p-1.5 shadow-float ${props.contentClass}`}
      >
        {typeof children === 'function' ? children(close) : children}
      </div>
    </div>
  );
}
