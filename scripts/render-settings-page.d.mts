export function renderSettingsPage(areas: Record<string, Record<string, object>>): string;
