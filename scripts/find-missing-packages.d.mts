export function findMissingPackages(root: string, options: { dev: boolean }): string | null;
