import { lazyView } from '../ui/lazy-view.tsx';

/**
 * `SegmentUse`, loaded when the first text is written, because no first view counts segments. A text can be sent
 * without it.
 */
export const SegmentMeter = lazyView(
  () => import('./segment-use.tsx').then((module) => module.SegmentUse),
  () => null,
);
