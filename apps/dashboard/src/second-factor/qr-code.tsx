import { encode } from 'uqr';

/** The margin that scanners need, in modules. It is white in dark mode, too. */
const QUIET_ZONE = 4;

/** Shows a text as a QR code, black on white in every theme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data
    .flatMap((row, y) =>
      row.map((isBlack, x) => (isBlack ? ['M', x, ' ', y, 'h1v1h-1z'].join('') : '')),
    )
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 max-w-full rounded-lg border border-line forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
