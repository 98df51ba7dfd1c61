const regions = new Intl.DisplayNames(undefined, { type: 'region' });

/** Names a country in the user's language. Returns other texts unchanged. */
export const nameRegion = (country: string): string =>
  /^[A-Z]{2}$/.test(country) ? (regions.of(country) ?? country) : country;
