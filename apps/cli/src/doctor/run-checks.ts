import type { DoctorSettings } from '../config.ts';
import { runCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { createDoctorContext } from './context.ts';
import type { Finding } from './finding.ts';

/** Runs every check, one after the other, and yields its findings. */
export async function* runChecks(settings: DoctorSettings): AsyncGenerator<Finding> {
  const context = createDoctorContext(settings);
  try {
    for (const check of CHECKS) yield* await runCheck(check, context);
  } finally {
    await context.close();
  }
}
