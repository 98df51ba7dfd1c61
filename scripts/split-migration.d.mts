export function splitMigration(sql: string): { suffix: string; sql: string }[];
