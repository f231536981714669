import * as z from 'zod/mini';
import { DayCall } from '../../lib/client/day.ts';
import type { ListedCall } from '../../lib/client/index.ts';
import { rowReader } from '../../lib/client/table-reader.ts';
import { agentPartFields } from '../../lib/contract/call-counts.ts';
import { Call } from '../../lib/contract/rows.ts';
import { keepLatest } from '../../lib/core/collections.ts';
import type { ShownAccount } from './accounts.ts';

/** The fields of a row that a list shows and its own entries lack. */
export const detailFields = { durationSeconds: true, timeToAnswerSeconds: true, recordings: true } as const;

/** What is kept of a row, for the list and for the filters. */
const Details = z.extend(z.pick(Call, { ...detailFields, ...agentPartFields }), { legs: DayCall.shape.legs });
type Details = z.infer<typeof Details>;
const readDetails = rowReader('Call', Details);

/** The calls whose details are kept, so that memory stays flat. */
const maxDetails = 5_000;

const keyOf = (account: string, { callId, revision }: Pick<Call, 'callId' | 'revision'>) =>
  `${account} ${callId} ${revision}`;

/** The details of listed calls: each revision of a call is read once, as long as it is kept. */
export const callDetails = () => {
  const known = new Map<string, Details>();
  const of = ({ account }: ShownAccount, call: ListedCall) => known.get(keyOf(account, call));
  const readMissing = async (account: ShownAccount, calls: readonly ListedCall[], most = calls.length) => {
    const missing = calls.filter((call) => of(account, call) === undefined).slice(0, most);
    if (missing.length === 0) return;
    for (const row of await account.client.callRows(missing.map(({ callId }) => callId)))
      keepLatest(known, keyOf(account.account, row), { recordings: [], ...readDetails(row) }, maxDetails);
  };
  return {
    of,
    readMissing,
    async rowsOf(account: ShownAccount, calls: readonly ListedCall[]) {
      await readMissing(account, calls);
      return new Map(calls.map((call) => [call.callId, of(account, call)]));
    },
  };
};
