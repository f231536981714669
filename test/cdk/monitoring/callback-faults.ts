import { accountsDeadlineMs, parkingDeadlineMs, storeDeadlineMs } from '../../../functions/adapters/aws-clients.ts';
import { down, fixedAccounts, memoryCallStore, memoryParking } from '../../lib/support/ports.ts';
import type { Fault, Happening } from './fault.ts';
import { type Broken, calls, noTable, posted } from './posts.ts';
import { logging } from './runs/logging.ts';

/** Services that take as long as they may: the accounts, the table until it is given up, the queue. */
const slow: Broken = ({ take }) => {
  const accounts = fixedAccounts();
  const parking = memoryParking();
  return {
    accounts: { ...accounts, current: async () => take(accountsDeadlineMs).then(accounts.current) },
    calls: { record: async () => take(storeDeadlineMs).then(down) },
    parking: { park: async (items) => take(parkingDeadlineMs).then(() => parking.park(items)) },
  };
};

const slowTable: Broken = ({ take }) => {
  const store = memoryCallStore();
  return { calls: { record: async (...args) => take(storeDeadlineMs).then(() => store.record(...args)) } };
};

const quarterOfAnHour = 15;

const answered = (what: string, ...statuses: readonly number[]): Happening => ({
  what,
  cause: async (deployed) => logging({ deployed, statuses }),
});

/** What can go wrong between a post and its answer, by the alarm that is there for it. */
export const callbackFaults: readonly Fault[] = [
  {
    alarm: 'CallbacksFail',
    ...posted('Neither the table nor the parking queue takes a record.', calls(1), () => ({
      calls: { record: down },
      parking: { park: down },
    })),
    near: [posted('The table is down, and the call is parked.', calls(1), noTable)],
  },
  {
    alarm: 'CallbacksThrottled',
    ...answered('Requests come faster than they are let through.', 200, 429),
    near: [answered('They are refused for other reasons.', 200, 400, 401, 413, 415, 503)],
  },
  {
    alarm: 'RepliesSlow',
    ...posted('Every service takes as long as it may.', calls(quarterOfAnHour), slow, 60_000),
    near: [posted('The table is slow, but answers in time.', calls(quarterOfAnHour), slowTable, 60_000)],
  },
];
