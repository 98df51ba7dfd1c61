import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Cookies {
  /** Sets a cookie that scripts can't read and that other sites' requests do not send, except to open a page. */
  set(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void;
  clear(reply: FastifyReply, name: string): void;
  read(request: FastifyRequest, name: string): string | null;
  /** The names of the cookies that begin with `prefix`. */
  list(request: FastifyRequest, prefix: string): string[];
}

/**
 * Creates the access to cookies. Over https their names begin with `__Host-`, so that no other host of the domain can
 * set one for this one.
 */
export function createCookies(publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const before = isSecure ? '__Host-' : '';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const write = (reply: FastifyReply, name: string, value: string, maxAge: number) => {
    reply.header('set-cookie', `${before}${name}=${value}; Max-Age=${maxAge}; ${attributes}`);
  };
  return {
    set: write,
    clear: (reply, name) => write(reply, name, '', 0),
    read: (request, name) => parse(request).get(before + name) ?? null,
    list: (request, prefix) =>
      [...parse(request).keys()]
        .filter((name) => name.startsWith(before + prefix))
        .map((name) => name.slice(before.length)),
  };
}

function parse({ headers }: FastifyRequest): Map<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((part): [string, string] => {
    const [name = '', ...rest] = part.split('=');
    return [name.trim(), rest.join('=').trim()];
  });
  // Of several cookies with one name, browsers send the most specific one first.
  return new Map(pairs.toReversed());
}
