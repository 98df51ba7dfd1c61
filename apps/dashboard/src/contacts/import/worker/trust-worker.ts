// oxlint-disable-next-line import/default -- Vite exports the address
import workerUrl from './import-worker.ts?worker&url';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(): string },
  ): { createScriptURL(input: string): unknown };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | null = null;

/**
 * Returns the address of the worker in a form that `new Worker` accepts. The content security policy allows this policy alone,
 * which gives out no other address.
 */
export function trustWorker(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return workerUrl;
  policy ??= trustedTypes.createPolicy('import-worker', { createScriptURL: () => workerUrl });
  return policy.createScriptURL('') as string;
}
