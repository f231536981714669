import type { IncomingMessage } from 'node:http';

/** The whole body, or undefined as soon as it proves longer than `limitBytes`; the rest is then read and forgotten. */
export const readBody = (request: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limitBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
  });
