import { type RefObject, useEffect, useState } from 'react';

/** Whether the pointer or the keyboard is on the rows, or they have been scrolled. */
export function useReaderAtWork(scroller: RefObject<HTMLElement | null>): boolean {
  const [isAtWork, setAtWork] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let pointerInside = false;
    const look = (): void => {
      // A row that was clicked keeps the focus, but not the attention.
      const keyboardInside = element.querySelector(':focus-visible') !== null;
      setAtWork(pointerInside || keyboardInside || element.scrollTop > 0);
    };
    const point = ({ type }: Event): void => {
      pointerInside = type === 'pointerenter';
      look();
    };
    const focus = (): void => void setTimeout(look);
    element.addEventListener('pointerenter', point);
    element.addEventListener('pointerleave', point);
    element.addEventListener('focusin', focus);
    element.addEventListener('focusout', focus);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      element.removeEventListener('pointerenter', point);
      element.removeEventListener('pointerleave', point);
      element.removeEventListener('focusin', focus);
      element.removeEventListener('focusout', focus);
      element.removeEventListener('scroll', look);
    };
  }, [scroller]);
  return isAtWork;
}
