import { Call, CallParticipant } from '../../lib/contract/rows.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { Problem } from '../frame/problem.ts';
import { shownRecordings } from '../recordings/sounds.ts';
import { rejectIfHidden, type ShownAccount } from './accounts.ts';
import { customerText } from './customer-text.ts';
import { withChanges } from './delivery-changes.ts';

export interface WithId {
  readonly id: string;
}

/** Reads a call with its participants: one request, and one more where recordings are archived. */
export const showCall = async (account: ShownAccount, { id }: WithId) => {
  const { client, clock } = account;
  const [found, recordings] = await Promise.all([client.call(id), shownRecordings(account, id)]);
  if (found === undefined) throw new Problem('There is no such call. It may be older than the table keeps calls.', 2);
  const { call, participants } = found;
  return {
    now: clock().toISOString(),
    call: call && withChanges(account, 'call', call, Call),
    customerText: call && customerText(account, call),
    participants: participants.map((one) => withChanges(account, 'participant', one, CallParticipant)),
    recordings,
  };
};

/** The deliveries of a call as they were posted. */
export const readAsSent = async (account: ShownAccount, { id }: WithId) => {
  rejectIfHidden(account);
  const { call, participants = [] } = (await account.client.call(id)) ?? {};
  const deliveries = [call, ...participants].flatMap((row) => row?.deliveries ?? []);
  return { asSent: Object.fromEntries(deliveries.map(({ id, asSent }) => [id, decompressText(asSent)])) };
};
