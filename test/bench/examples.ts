import { readFileSync } from 'node:fs';

/** The JSON of a callback that the README shows. */
export const example = (name: string): string =>
  readFileSync(new URL(`../../sandbox/examples/${name}.json`, import.meta.url), 'utf8');

export const callbacks = {
  first: example('call-summary'),
  revision: example('with-disposition'),
  another: example('missed-call'),
} as const;

/** The first callback, of another call. `number` has at most nine digits. */
export const callNumbered = (number: number): string =>
  callbacks.first.replace(/(?<="monitorUCID": )\d+/, `"41781234${String(number).padStart(9, '0')}"`);

export const listOf = (length: number): string =>
  `[${Array.from({ length }, (_, index) => callNumbered(index + 1)).join(',')}]`;
