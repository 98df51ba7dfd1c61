import { type RefObject, useEffect, useState } from 'react';

/** Returns whether the user points at the rows, has focused one by keyboard or has scrolled. */
export function useIsInteracting(scroller: RefObject<HTMLElement | null>): boolean {
  const [isInteracting, setInteracting] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let pointerInside = false;
    const update = (): void => {
      // A clicked row keeps the focus: only focus from the keyboard counts.
      const keyboardInside = element.querySelector(':focus-visible') !== null;
      setInteracting(pointerInside || keyboardInside || element.scrollTop > 0);
    };
    const point = ({ type }: Event): void => {
      pointerInside = type === 'pointerenter';
      update();
    };
    const focus = (): void => void setTimeout(update);
    element.addEventListener('pointerenter', point);
    element.addEventListener('pointerleave', point);
    element.addEventListener('focusin', focus);
    element.addEventListener('focusout', focus);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      element.removeEventListener('pointerenter', point);
      element.removeEventListener('pointerleave', point);
      element.removeEventListener('focusin', focus);
      element.removeEventListener('focusout', focus);
      element.removeEventListener('scroll', update);
    };
  }, [scroller]);
  return isInteracting;
}
