const HEAD = `# Settings

Every process reads its settings from the environment when it starts. An invalid setting prevents the start, and all invalid settings are reported at once. A variable whose name is one or two letters away from a
setting's is reported too: as a warning in the log, and as a problem by \`npm run doctor\`.

Each setting may come from a file instead: \`SECRET_KEY_FILE=/run/secrets/key\` for \`SECRET_KEY\`. White space,
line ends and one pair of quotes around a value are removed. An empty value counts as absent. \`npm start\` chooses
some values itself.

<!-- Written by \`npm run settings:page\` from packages/runtime/src/settings. Do not edit. -->
`;

/**
 * @typedef {{
 *   accepts: string, default: string | null, isRequired: boolean, description: string,
 *   readBy: readonly string[], absent?: string, standalone?: string,
 * }} Declaration
 */

/**
 * @param {Record<string, Record<string, Declaration>>} areas
 * @returns {string} docs/settings.md
 */
export function renderSettingsPage(areas) {
  const sections = Object.entries(areas).map(([area, settings]) => {
    const rows = Object.entries(settings).map(([name, setting]) => renderRow(name, setting));
    return [
      `## ${area}`,
      '',
      '| setting | default | accepts | meaning | read by |',
      '|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return [HEAD, ...sections].join('\n');
}

/**
 * @param {string} name
 * @param {Declaration} setting
 */
function renderRow(name, setting) {
  const standalone =
    setting.standalone === undefined ? '' : ` (\`npm start\`: ${setting.standalone})`;
  const byDefault = setting.isRequired
    ? 'required'
    : setting.default === null
      ? `none: ${setting.absent}`
      : `\`${setting.default}\``;
  const cells = [
    `\`${name}\``,
    byDefault + standalone,
    setting.accepts,
    setting.description,
    setting.readBy.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}
