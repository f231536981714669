import { jsonBytes } from '../json/json-bytes.ts';
import type { Facts } from '../record/delivery.ts';
import { type Cut, cutTo } from '../text/cut-to.ts';

/** EventBridge takes 256 KB an entry and a call; source, type and bus need a little of it. */
export const maxDetailBytes = 240 * 1024;

/** Ever shorter cuts: characters of a text, entries of a list or map. The last fits whatever a record can hold. */
const cuts = [
  { characters: 1_000, entries: 20 },
  { characters: 100, entries: 10 },
] as const satisfies readonly Cut[];

/**
 * The event's detail, made to fit: where it is too large, the largest values of `detail[name]` are cut until it is not,
 * and named in `shortenedFields`. Nothing is lost by it, since the row holds them whole.
 */
export const shortened = <Detail extends Facts>(detail: Detail, name: string): Detail => {
  const whole = detail[name];
  if (jsonBytes(detail) <= maxDetailBytes || whole === null || typeof whole !== 'object') return detail;

  const values = new Map<string, unknown>(Object.entries(whole));
  const shortenedFields = new Set<string>();
  const current = () => ({
    ...detail,
    [name]: Object.fromEntries(values),
    shortenedFields: [...shortenedFields].sort(),
  });
  for (const cut of cuts) {
    for (const [field, value] of [...values].sort(([, a], [, b]) => jsonBytes(b) - jsonBytes(a))) {
      if (jsonBytes(current()) <= maxDetailBytes) return current();
      const short = cutTo(cut, value);
      if (jsonBytes(short) >= jsonBytes(value)) continue;
      values.set(field, short);
      shortenedFields.add(field);
    }
  }
  return current();
};
