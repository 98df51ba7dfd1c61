const CHECK_MS = 250;

/** Calls back when the parent of this process has exited. A killed parent sends no signal, so this polls. */
export function whenParentExits(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, CHECK_MS);
  timer.unref();
}
