import { isDeepStrictEqual } from 'node:util';
import { must } from '../breach.ts';
import type { Post } from './calls-history.ts';
import { cast } from './cast.ts';
import { deliveriesIn } from './ledger.ts';
import { readPlainly } from './plain-reading.ts';
import { nameOf } from './row-of-call.ts';

/** Each record of a post is understood as it was meant, and belongs to the call that it names. */
export const mustBeUnderstood = (post: Post): void => {
  const { records, account } = post;
  const { userName } = cast[account];
  const understood = deliveriesIn(post);
  must(understood.length === records.length, () => `Of ${records.length} records ${understood.length} are understood`);
  for (const [index, { key, delivery }] of understood.entries()) {
    const { [index]: record = {} } = records;
    const [kind, callId, part] =
      'UCID' in record
        ? (['participant', record['UCID'], key.part] as const)
        : (['call', record['monitorUCID'], record['CallID'] ?? 'main'] as const);
    const [found, meant] = [
      nameOf(key.kind, key.account, key.callId, key.part),
      nameOf(kind, userName, String(callId), String(part)),
    ];
    must(found === meant, () => `What belongs to ${meant} is taken for that of ${found}`);
    for (const [field, value] of Object.entries(readPlainly(record, account)))
      must(
        isDeepStrictEqual(delivery.facts[field], value),
        () => `${field} of ${JSON.stringify(record)} is read as ${JSON.stringify(delivery.facts[field])}`,
      );
  }
};
