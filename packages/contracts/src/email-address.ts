/** As in RFC 5321, without quoted names. ASCII only: other names need SMTPUTF8, and look like ASCII ones. */
const MAILBOX = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Labels of letters, digits and inner hyphens, at least two, the last of which is no number. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;
const MAX_MAILBOX = 64;
const MAX_ADDRESS = 254;

/** What a URL would read as part of something else than the host. */
const NOT_A_HOST = /[/\\?#:@%[\]\p{Default_Ignorable_Code_Point}\s]/u;

/**
 * Returns the one form in which an email address is stored and compared, or null if it is none: compatible
 * characters are replaced (NFKC), letters are lower case, and an international domain is in its ASCII form
 * (`xn--…`), so that every spelling of an address is one account and no other letters look like it.
 */
export function readEmailAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  if (at === -1) return null;
  const mailbox = text.slice(0, at).normalize('NFKC').toLowerCase();
  const domain = readDomain(text.slice(at + 1));
  if (domain === null || mailbox.length > MAX_MAILBOX || !MAILBOX.test(mailbox)) return null;
  const address = `${mailbox}@${domain}`;
  return address.length <= MAX_ADDRESS ? address : null;
}

function readDomain(text: string): string | null {
  // The parser of URLs converts a host as UTS 46 prescribes, in browsers too.
  const url = `http://${text}`;
  if (NOT_A_HOST.test(text) || !URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return DOMAIN.test(hostname) ? hostname : null;
}
