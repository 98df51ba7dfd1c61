import type { Figure } from './scenario.ts';

export function formatValue({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  return `${formatNumber(value)} ${unit}`;
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });
}
