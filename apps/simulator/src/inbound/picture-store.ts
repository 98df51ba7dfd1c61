import { createHash } from 'node:crypto';

export const MAX_PICTURE_BYTES = 1_000_000;
const MAX_PICTURES = 50;

const EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;

type PictureType = keyof typeof EXTENSIONS;

export const PICTURE_TYPES = Object.keys(EXTENSIONS) as PictureType[];

export interface Picture {
  type: string;
  content: Buffer;
}

// A PNG with one transparent pixel.
const PLACEHOLDER: Picture = {
  type: 'image/png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
};

export type PictureStore = ReturnType<typeof createPictureStore>;

/** Keeps the newest pictures that phones have sent, in memory. Every other name has a small picture. */
export function createPictureStore() {
  const byName = new Map<string, Picture>();

  return {
    /** Returns the name of the picture. */
    add(type: PictureType, content: Buffer): string {
      const digest = createHash('sha256').update(content).digest('hex').slice(0, 32);
      const name = `${digest}.${EXTENSIONS[type]}`;
      byName.delete(name);
      byName.set(name, { type, content });
      const [oldest] = byName.keys();
      if (byName.size > MAX_PICTURES && oldest !== undefined) byName.delete(oldest);
      return name;
    },

    get(name: string): Picture {
      return byName.get(name) ?? PLACEHOLDER;
    },
  };
}

const PATH = '/simulator/media/';

/** Returns the name of one of the simulator's own pictures, or null for the URL of another server. */
export function ownPictureOf(url: string): string | null {
  const { pathname } = new URL(url);
  return pathname.startsWith(PATH) ? pathname.slice(PATH.length) : null;
}
