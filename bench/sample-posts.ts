import { readFileSync } from 'node:fs';

/** A post of `sandbox/examples`, as JSON. */
export const exampleText = (name: string): string =>
  readFileSync(new URL(`../sandbox/examples/${name}.json`, import.meta.url), 'utf8');

const localTime = /"2026-11-20 (\d\d:\d\d:\d\d)"/g;

/** The first call of the examples begins at that time. */
const exampleStartMs = Date.parse('2026-11-20T11:00:00Z');

const startedAgoMs = 30 * 60_000;

/**
 * Moves the times of an example: its call began half an hour before `now`, a time on the account's clocks. A call recorded much
 * later than it began would cost one write unit more.
 */
export const justEnded = (json: string, now: Date): string =>
  json.replace(localTime, (_, time) => {
    const sinceStartMs = Date.parse(`2026-11-20T${time}Z`) - exampleStartMs;
    const at = new Date(now.getTime() - startedAgoMs + sinceStartMs).toISOString();
    return `"${at.slice(0, 10)} ${at.slice(11, 19)}"`;
  });

export const callbacks = {
  first: exampleText('call-summary'),
  revision: exampleText('with-disposition'),
  another: exampleText('missed-call'),
} as const;

/** The first callback with the id of another call. `number` has at most nine digits. */
export const callNumbered = (number: number): string =>
  callbacks.first.replace(/(?<="monitorUCID": )\d+/, `"41781234${String(number).padStart(9, '0')}"`);

export const postedCalls = (length: number): string =>
  `[${Array.from({ length }, (_, index) => callNumbered(index + 1)).join(',')}]`;
