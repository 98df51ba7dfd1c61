import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';

/** Form fields in the order of the request; a name may repeat. */
export type FormFields = readonly (readonly [string, string])[];

export interface SignedRequest {
  /** Our public URL, with the path and query of the request. */
  url: string;
  signature: string;
  fields: FormFields;
}

/**
 * Returns whether Twilio signed the request with this token. Uses Twilio's own validator, which compares in
 * constant time, and tries the URL with and without the port and with the query re-encoded.
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export function isSigned(authToken: string, request: SignedRequest): boolean {
  // Anyone can sign with an empty token. The validator throws for a URL that it can't parse.
  if (authToken === '' || request.signature === '' || !URL.canParse(request.url)) return false;
  return validateRequest(authToken, request.signature, request.url, groupFields(request.fields));
}

/** Groups the fields as the validator expects them: a list for a name that repeats. */
function groupFields(fields: FormFields): Record<string, string | string[]> {
  // Without a prototype, so that no field name collides with an inherited property.
  const grouped = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of fields) {
    const present = grouped[name];
    if (present === undefined) grouped[name] = value;
    else if (typeof present === 'string') grouped[name] = [present, value];
    else present.push(value);
  }
  return grouped;
}
