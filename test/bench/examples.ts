import { readFileSync } from 'node:fs';

const example = (name: string): string =>
  readFileSync(new URL(`../../sandbox/examples/${name}.json`, import.meta.url), 'utf8');

/** The callbacks that are compared: the examples that the README shows. */
export const callbacks = {
  first: example('call-summary'),
  revision: example('with-disposition'),
  another: example('missed-call'),
} as const;

/** The first of them as another call. `number` is at most nine digits long. */
export const callNumbered = (number: number): string =>
  callbacks.first.replace(/(?<="monitorUCID": )\d+/, `"41781234${String(number).padStart(9, '0')}"`);

/** A list of so many new calls, as one post may hold. */
export const listOf = (length: number): string =>
  `[${Array.from({ length }, (_, index) => callNumbered(index + 1)).join(',')}]`;
