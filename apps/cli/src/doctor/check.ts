import type { DoctorContext } from './context.ts';
import { type Finding, describeFailure } from './finding.ts';
import { NotCheckedError } from './not-checked-error.ts';

export interface Check {
  /** The part of the finding if the check itself fails. */
  part: string;
  run(context: DoctorContext): Promise<Finding[]>;
}

const TIMEOUT_MS = 30_000;

/** Runs one check. Never throws: a check that fails or hangs is reported as a problem. */
export async function runCheck(
  { part, run }: Check,
  context: DoctorContext,
  timeoutMs = TIMEOUT_MS,
): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([run(context), timedOut]);
  } catch (error) {
    if (error instanceof NotCheckedError) {
      return [{ result: 'skipped', part, detail: `Not checked: ${error.message}.` }];
    }
    const detail = `The check failed: ${describeFailure(error)}.`;
    return [{ result: 'problem', part, detail }];
  } finally {
    clearTimeout(timer);
  }
}
