import { useEffect } from 'react';

/** A page that is zoomed keeps its layout: only its visible part gets smaller. */
const MAX_UNZOOMED = 1.01;

/**
 * Sets `--visible-height` and `--visible-top` to the part of the page above the keyboard of a phone. Safari does not resize
 * the page itself for its keyboard.
 */
export function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (viewport === null) return undefined;
    const { style } = document.documentElement;
    const reset = (): void => {
      style.removeProperty('--visible-height');
      style.removeProperty('--visible-top');
    };
    const update = (): void => {
      if (viewport.scale > MAX_UNZOOMED) {
        reset();
        return;
      }
      style.setProperty('--visible-height', `${viewport.height}px`);
      style.setProperty('--visible-top', `${viewport.offsetTop}px`);
    };
    update();
    viewport.addEventListener('resize', update);
    viewport.addEventListener('scroll', update);
    return () => {
      viewport.removeEventListener('resize', update);
      viewport.removeEventListener('scroll', update);
      reset();
    };
  }, []);
}
