import { callNumbered } from '../peers/callbacks.ts';

/** A list of so many new calls, as one post may hold. */
export const listOf = (length: number): string =>
  `[${Array.from({ length }, (_, index) => callNumbered(index + 1)).join(',')}]`;
