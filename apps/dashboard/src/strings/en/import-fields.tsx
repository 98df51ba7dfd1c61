// describe-columns.ts, which runs in a worker
export const unnamedField = (position: number) => `Column ${position}`;
