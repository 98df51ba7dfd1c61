/** A cache that drops the least recently used entry. */
export interface LeastRecentlyUsed<Value> {
  get(name: string): Value | undefined;
  set(name: string, value: Value): void;
  delete(name: string): void;
}

export function createLeastRecentlyUsed<Value>(maxSize: number): LeastRecentlyUsed<Value> {
  // A map keeps the order of insertion, which is the order of use here.
  const entries = new Map<string, Value>();
  return {
    get(name) {
      const value = entries.get(name);
      if (value === undefined) return undefined;
      entries.delete(name);
      entries.set(name, value);
      return value;
    },
    set(name, value) {
      entries.delete(name);
      const [oldest] = entries.keys();
      if (entries.size >= maxSize && oldest !== undefined) entries.delete(oldest);
      entries.set(name, value);
    },
    delete: (name) => void entries.delete(name),
  };
}
