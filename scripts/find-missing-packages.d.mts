export function findMissingPackages(root: string): string | null;
