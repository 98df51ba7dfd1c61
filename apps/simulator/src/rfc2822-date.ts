/** Formats a time as Twilio does, in seconds: `Fri, 20 Nov 2026 06:00:00 +0000`. */
export function formatRfc2822(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
