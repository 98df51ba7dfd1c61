export function renderAccessPage(tables: {
  roles: readonly string[];
  permissions: Record<string, { roles: readonly string[]; allows: string }>;
  scopes: Record<string, string>;
  endpoints: readonly { key: string; credential: string; route: { scope?: string } }[];
}): string;
