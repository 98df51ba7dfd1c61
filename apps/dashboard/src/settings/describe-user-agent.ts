import * as strings from '#strings/account';
// The order matters: most browsers also name the browsers that they are compatible with.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns for example `Firefox on Windows`. For a program, returns the first product in the user agent. */
export function describeUserAgent(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return strings.unknownDevice;
  const find = (names: typeof BROWSERS) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (system !== null) {
    return browser === null ? strings.aBrowserOn(system) : strings.browserOn({ browser, system });
  }
  return browser ?? userAgent.trim().split(/\s/)[0]?.slice(0, 60) ?? strings.unknownDevice;
}
