import type { Posted } from '../requests/posted.ts';

/** A post that can be made of any size. */
export interface GrowingPost {
  readonly name: string;
  /** Of about so many bytes. */
  readonly of: (bytes: number) => Posted;
  /** The power with which its time may grow, if not in proportion. */
  readonly mostExponent?: number;
}

/** A post whose body is this JSON text. */
export const jsonPost = (text: string): Posted => ({
  headers: { 'content-type': 'application/json' },
  query: '',
  body: Buffer.from(text),
});
