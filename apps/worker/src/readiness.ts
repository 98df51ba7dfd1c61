/** Creates a function that reports the first part that does not answer, or returns null. */
export function createFindFailingPart(parts: Readonly<Record<string, { ping(): Promise<void> }>>) {
  return async function findFailingPart(): Promise<string | null> {
    for (const [name, part] of Object.entries(parts)) {
      try {
        await part.ping();
      } catch {
        return `The ${name} is not answering`;
      }
    }
    return null;
  };
}
