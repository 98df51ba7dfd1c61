export function findViolations(root: string): string[];
