import type { PhoneMessage } from './carrier.ts';

const RETRY_MS = 2_000;

interface Handlers {
  /** All messages of the phones, in place of earlier ones. */
  onMessages(messages: PhoneMessage[]): void;
  onMessage(message: PhoneMessage): void;
  onConnection(isLive: boolean): void;
}

/** Streams the messages of these phones until it is closed. Reconnects after a failure. */
export function openStream(numbers: readonly string[], handlers: Handlers): () => void {
  const query = new URLSearchParams(numbers.map((number) => ['number', number])).toString();
  let source: EventSource;
  let timer: number | undefined;

  function connect(): void {
    source = new EventSource(`simulator/events?${query}`);
    source.addEventListener('messages', ({ data }: MessageEvent<string>) => {
      handlers.onConnection(true);
      handlers.onMessages(JSON.parse(data) as PhoneMessage[]);
    });
    source.addEventListener('message', ({ data }: MessageEvent<string>) =>
      handlers.onMessage(JSON.parse(data) as PhoneMessage),
    );
    source.addEventListener('error', () => {
      handlers.onConnection(false);
      // The browser gives up after an error response.
      if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(connect, RETRY_MS);
    });
  }

  connect();
  return () => {
    window.clearTimeout(timer);
    source.close();
  };
}
