import { html } from '../http/html.ts';

/** https://scalar.com/products/api-references/configuration */
const configure = (basePath: string) => ({
  sources: [
    {
      title: 'API',
      slug: 'api',
      url: `${basePath}/openapi.json`,
      default: true,
      authentication: { preferredSecurityScheme: 'api_key' },
    },
    {
      title: 'Dashboard API',
      slug: 'dashboard',
      url: `${basePath}/openapi/dashboard.json`,
      authentication: { preferredSecurityScheme: 'session' },
    },
  ],
  // Nothing is loaded from or sent to another origin.
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});

export const formatReferencePage = (basePath: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Switchboard API reference</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </head>
      <body>
        <main id="reference"></main>
        <script src="${basePath}/docs/scalar.js"></script>
        <script src="${basePath}/docs/start.js"></script>
      </body>
    </html> `.html;

/** A separate file, because the policy of the page allows no inline script. */
export const formatReferenceStart = (basePath: string): string =>
  `Scalar.createApiReference('#reference', ${JSON.stringify(configure(basePath))});\n`;

/** The page may load only from its own origin. Scalar sets styles from its script. */
export const REFERENCE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
