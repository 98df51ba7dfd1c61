import { LOOPBACK_NETWORKS, isInNetworks } from '@switchboard/core';
import { z } from 'zod';
import type { SettingKind } from './setting-kinds.ts';

/** How to connect to a mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, as on port 465. Otherwise the connection starts in plain text. */
  isTls: boolean;
  login: { user: string; password: string } | null;
  /** The server is this machine itself. */
  isLocal: boolean;
}

export interface MailSender {
  name: string;
  address: string;
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

/** Creates the setting kind for the URL of a mail server. */
export function smtpUrlSetting() {
  const accepts =
    'a URL such as smtp://user:password@mail.example.com:587 (STARTTLS) or smtps://user:password@mail.example.com:465 (TLS), with special characters of user and password percent-encoded';
  return createKind<SmtpServer>(accepts, (text) => {
    const url = readUrl(text);
    if (url === null) return `must be ${accepts}`;
    const { protocol } = url;
    if (protocol !== 'smtp:' && protocol !== 'smtps:') return `must be ${accepts}`;
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(url.port || PORTS[protocol]);
    const [user, password] = [decode(url.username), decode(url.password)];
    if (host === '' || port === 0 || user === null || password === null)
      return `must be ${accepts}`;
    if (/^\/?$/.exec(url.pathname) === null || url.search + url.hash !== '')
      return `must be ${accepts}`;
    // A server speaks TLS from the first byte on port 465 only. Otherwise, both sides wait, or fail with
    // "wrong version number".
    if (protocol === 'smtp:' && port === 465) return 'must begin with smtps:// for port 465';
    if (protocol === 'smtps:' && (port === 587 || port === 25))
      return `must begin with smtp:// for port ${port}, where TLS starts with STARTTLS`;
    if ((user === '') !== (password === ''))
      return 'must have both a user and a password, or neither';
    return {
      host,
      port,
      isTls: protocol === 'smtps:',
      login: user === '' ? null : { user, password },
      isLocal: host === 'localhost' || isInNetworks(host, LOOPBACK_NETWORKS),
    };
  });
}

const MAILBOX = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9.-]{1,190}$/i;

/** Creates the setting kind for the sender of mails: an address, or a name and an address. */
export function mailSenderSetting() {
  const accepts =
    'an email address such as switchboard@example.com, or a name with one, such as Switchboard <switchboard@example.com>';
  return createKind<MailSender>(accepts, (text) => {
    const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
    const plainName = name.trim().replace(/^"(.*)"$/, '$1');
    if (!MAILBOX.test(address) || /[\p{Cc}"]/u.test(plainName)) return `must be ${accepts}`;
    return { name: plainName, address };
  });
}

/** Creates a kind from a function that returns an error text for a text that is not accepted. */
function createKind<Value extends object>(
  accepts: string,
  parse: (text: string) => Value | string,
): SettingKind<z.ZodPipe<z.ZodString, z.ZodTransform<Value, string>>> {
  const schema = z.string().transform((text, context): Value => {
    const value = parse(text);
    if (typeof value !== 'string') return value;
    context.addIssue(value);
    return z.NEVER;
  });
  return { accepts, schema };
}

function readUrl(text: string): URL | null {
  return /^smtps?:\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text)
    ? new URL(text)
    : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
