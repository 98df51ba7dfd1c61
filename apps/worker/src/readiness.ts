/** Creates a function that returns the first part that does not respond, or null. */
export function createFindFailingPart(parts: Readonly<Record<string, { ping(): Promise<void> }>>) {
  return async function findFailingPart(): Promise<string | null> {
    for (const [name, part] of Object.entries(parts)) {
      try {
        await part.ping();
      } catch {
        return `The ${name} is not responding`;
      }
    }
    return null;
  };
}
