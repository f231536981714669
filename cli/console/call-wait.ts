import { type WaitAnswer, waitAnswer } from '../calls/wait-answer.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import type { WithId } from './call.ts';
import { keptReadings } from './kept-readings.ts';

/** For how many calls the answer is kept. */
const maxKeptWaits = 50;

/** A view that is open asks again every few seconds. */
const keptAtLeastMs = 15_000;

/**
 * Reads what became of a missed call, and which waits a call ended. That reads all calls around it, so the answer is kept until
 * the call changes, for 15 seconds at least.
 */
export const waitReader = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const waits = keptReadings<WaitAnswer>(clock, maxKeptWaits);
  return async (account: ShownAccount, { id }: WithId) => {
    const { client } = account;
    const { call } = (await client.call(id)) ?? {};
    const key = `${account.account} ${id} ${call?.revision}`;
    const wait = call && (await waits.wanted(key, keptAtLeastMs, async () => waitAnswer(await client.callWait(call))));
    return { now: clock().toISOString(), wait };
  };
};
