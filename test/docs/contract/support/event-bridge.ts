import { eventSource } from '../../../../lib/contract/call-events.ts';
import type { BusEvent } from '../../../../lib/publish/row-change.ts';
import { toEnvelope } from '../../../../sandbox/bus/put-events.ts';

type Plain = Readonly<Record<string, unknown>>;

const compare: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '=': (value, bound) => value === bound,
  '>=': (value, bound) => value >= bound,
  '>': (value, bound) => value > bound,
};

const isObject = (value: unknown): value is Plain =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const isOfPresence = (allowed: unknown): allowed is { readonly exists: boolean } =>
  isObject(allowed) && typeof allowed['exists'] === 'boolean' && Object.keys(allowed).length === 1;

/** One of the values that a pattern allows. A matcher that is not known here is a mistake, not a match. */
const allows = (allowed: unknown, value: unknown): boolean => {
  if (!isObject(allowed)) return allowed === value;
  if (isOfPresence(allowed)) return allowed.exists;
  const { numeric, ...others } = allowed;
  if (!Array.isArray(numeric) || Object.keys(others).length > 0) throw new Error('A matcher that is not known');
  if (typeof value !== 'number') return false;
  for (let at = 0; at < numeric.length; at += 2)
    if (!compare[String(numeric[at])]?.(value, Number(numeric[at + 1]))) return false;
  return true;
};

/**
 * Whether a rule of EventBridge would take an event, as its documentation says: every field of the pattern must be there
 * and hold one of the values that are listed; of a list in the event one value is enough.
 */
export const matches = (pattern: Plain, event: unknown): boolean =>
  isObject(event) &&
  Object.entries(pattern).every(([name, allowed]) => {
    const value = event[name];
    if (isObject(allowed)) return matches(allowed, value);
    if (!Array.isArray(allowed)) throw new Error('A pattern lists values');
    if (!(name in event)) return allowed.some((candidate) => isOfPresence(candidate) && !candidate.exists);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.some((one) => allowed.some((candidate) => allows(candidate, one)));
  });

/** An event as a subscriber gets it from the sandbox's bus. */
export const delivered = ({ type, detail }: BusEvent): Record<string, unknown> => ({
  ...toEnvelope(
    { Source: eventSource, DetailType: type, Detail: JSON.stringify(detail), Resources: [] },
    'default',
    new Date(),
  ),
});
