export interface Reply {
  to: string | null;
  from: string | null;
  body: string;
  mediaUrls: string[];
  statusCallback: string | null;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the `<Message>` and `<Sms>` verbs of a TwiML document and ignores all others. */
export function parseTwiml(xml: string): Reply[] {
  const text = xml.replace(/<!--[\s\S]*?-->/g, '');
  return [...text.matchAll(/<(Message|Sms)(\s[^>]*?)?(?:\/>|>([\s\S]*?)<\/\1>)/g)].map(
    ([, , attributes = '', content = '']) => {
      const bodies = contentsOf(content, 'Body');
      const bare = content.replace(/<[\s\S]*>/, '');
      return {
        to: attributeOf(attributes, 'to'),
        from: attributeOf(attributes, 'from'),
        body: decode(bodies.length > 0 ? bodies.join('') : bare).trim(),
        mediaUrls: contentsOf(content, 'Media').map((url) => decode(url).trim()),
        statusCallback: attributeOf(attributes, 'statusCallback'),
      };
    },
  );
}

function contentsOf(xml: string, element: string): string[] {
  const pattern = new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`, 'g');
  return [...xml.matchAll(pattern)].map(([, content = '']) => content);
}

function attributeOf(attributes: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*("([^"]*)"|'([^']*)')`).exec(attributes);
  return found === null ? null : decode(found[2] ?? found[3] ?? '');
}

function decode(text: string): string {
  return text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, raw: string) => raw.replaceAll('&', '&amp;'))
    .replace(
      /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
      (entity: string, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return ENTITIES[name] ?? entity;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
      },
    );
}
