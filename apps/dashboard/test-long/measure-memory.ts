import type { Page } from 'playwright-core';

export interface Memory {
  heapBytes: number;
  /** The nodes of the document, and detached nodes that are still referenced. */
  nodes: number;
  listeners: number;
}

/** Returns a function that collects the garbage of the page, and measures what is left. */
export async function createMemoryMeter(page: Page): Promise<() => Promise<Memory>> {
  const devtools = await page.context().newCDPSession(page);
  return async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
    return { heapBytes: usedSize, nodes, listeners: jsEventListeners };
  };
}

/** Formats a sample for a line of the output. */
export const describeMemory = ({ heapBytes, nodes, listeners }: Memory): string =>
  `heap ${(heapBytes / 1_000_000).toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`;
