import { gunzipSync, gzipSync } from 'node:zlib';

/** Compresses a text: gzip in base64, which a row, a message and any reader can hold. `base64 -d | gunzip` undoes it. */
export const compressText = (text: string | Buffer): string => gzipSync(text).toString('base64');

/** The inverse of `compressText`. Throws if it did not make the text. */
export const decompressText = (compressed: string): string => gunzipSync(Buffer.from(compressed, 'base64')).toString();
