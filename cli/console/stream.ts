import type { Readable } from 'node:stream';

/** An answer that is no JSON, and is sent as it comes. */
export class Stream {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly status: number;

  constructor(body: Readable, headers: Stream['headers'], status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}
