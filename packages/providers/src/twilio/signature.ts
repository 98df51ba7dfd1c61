import twilio from 'twilio';

/** Form fields in the order they came; a name may repeat. */
export type FormFields = readonly (readonly [string, string])[];

export interface SignedRequest {
  /** Our public address, with the path and query as they came. */
  url: string;
  signature: string;
  fields: FormFields;
}

/**
 * Whether Twilio signed the request with this token. Twilio's own validator decides, in constant
 * time: with and without the port, and with the query re-encoded as older back ends did.
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export function isSigned(authToken: string, request: SignedRequest): boolean {
  // Anyone can sign with an empty token. The validator throws for an address it can't parse.
  if (authToken === '' || request.signature === '' || !URL.canParse(request.url)) return false;
  return twilio.validateRequest(
    authToken,
    request.signature,
    request.url,
    groupFields(request.fields),
  );
}

/** As the validator wants them: a list for a name that repeats. */
function groupFields(fields: FormFields): Record<string, string | string[]> {
  // Without a prototype, so that no name of a field means anything.
  const grouped = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of fields) {
    const present = grouped[name];
    if (present === undefined) grouped[name] = value;
    else if (typeof present === 'string') grouped[name] = [present, value];
    else present.push(value);
  }
  return grouped;
}
