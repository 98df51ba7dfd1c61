import { createHash, createHmac } from 'node:crypto';
import { type IncomingMessage, createServer } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import { listen } from '../listen.ts';

export interface S3Server {
  options: { url: string; region: string; accessKeyId: string; secretAccessKey: string };
  /** The content types of the stored objects, by their paths. */
  types: ReadonlyMap<string, string | undefined>;
  /** Accepts connections and never answers. */
  hangingUrl: string;
  close(): Promise<void>;
}

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret' };
const REGION = 'eu-central-1';

/** Hashes as the official client requires. */
class Sha256 {
  readonly #hash;
  constructor(secret?: ArrayBuffer | ArrayBufferView | string) {
    const key = typeof secret === 'string' || secret === undefined ? secret : toBuffer(secret);
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  }
  update(data: ArrayBuffer | ArrayBufferView | string) {
    this.#hash.update(typeof data === 'string' ? data : toBuffer(data));
  }
  digest = async () => new Uint8Array(this.#hash.digest());
  reset() {}
}

function toBuffer(data: ArrayBuffer | ArrayBufferView): Buffer {
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

const signer = new SignatureV4({
  service: 's3',
  region: REGION,
  credentials: CREDENTIALS,
  sha256: Sha256,
  uriEscapePath: false,
});

/** Returns whether the official client of the vendor would have signed the request in the same way. */
async function isSigned({ method = '', url = '', headers }: IncomingMessage): Promise<boolean> {
  const { authorization = '', host = '' } = headers;
  const names = /SignedHeaders=([\w;-]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const [hostname = '', port] = host.split(':');
  const date = String(headers['x-amz-date']).replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  const right = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname,
      port: Number(port),
      path: url,
      query: {},
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    },
    { signingDate: new Date(date) },
  );
  const signatureOf = (text = '') => /Signature=([0-9a-f]{64})$/.exec(text)?.[1];
  const given = signatureOf(authorization);
  return given !== undefined && given === signatureOf(right.headers['authorization']);
}

/**
 * Starts a server with the part of S3 that the service uses, which checks signatures with the
 * official client.
 */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const types = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    void isSigned(request).then(async (signed) => {
      const content = Buffer.concat((await request.toArray()) as Buffer[]);
      const refuse = (status: number, code: string) =>
        response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
      if (!signed) return refuse(403, 'SignatureDoesNotMatch');
      if (method === 'PUT') {
        // S3 does not accept a body without a length.
        if (headers['content-length'] === undefined) return refuse(411, 'MissingContentLength');
        objects.set(url, content);
        types.set(url, headers['content-type']);
        return response.end();
      }
      if (method === 'DELETE') {
        objects.delete(url);
        return response.writeHead(204).end();
      }
      const found = objects.get(url);
      return found === undefined ? refuse(404, 'NoSuchKey') : response.end(found);
    });
  });
  const listening = await listen(server);
  // No listener for requests, so none gets a response.
  const hanging = await listen(createServer());
  return {
    options: { url: `${listening.url}/media`, region: REGION, ...CREDENTIALS },
    types,
    hangingUrl: `${hanging.url}/media`,
    async close() {
      await Promise.all([listening.close(), hanging.close()]);
    },
  };
}
