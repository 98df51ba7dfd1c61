export function findVisibleStrings(file: string, code: string, program: unknown): string[];
