import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { accountsDeadlineMs, parkingDeadlineMs, storeDeadlineMs } from '../../../functions/adapters/aws-clients.ts';
import { dynamoQuarantine } from '../../../functions/adapters/dynamo-quarantine.ts';
import { cachedAccounts } from '../../../functions/adapters/secret-accounts.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { unknownSenderEntriesPerMinute } from '../../../lib/callback/quarantine.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { fixedAccounts, memoryCallStore, memoryParking, unavailable } from '../../support/memory-ports.ts';
import {
  type BrokenPorts,
  call,
  calls,
  callTableDown,
  logging,
  posted,
  recovering,
  screenPops,
} from './callback-scenarios.ts';
import type { Fault, Scenario } from './scenario.ts';

/** Services that take as long as they may: the accounts, the table until it is given up, the queue. */
const slow: BrokenPorts = ({ take }) => {
  const accounts = fixedAccounts();
  const parking = memoryParking();
  return {
    accounts: { ...accounts, current: async () => take(accountsDeadlineMs).then(accounts.current) },
    calls: { record: async () => take(storeDeadlineMs).then(unavailable) },
    parking: { park: async (items) => take(parkingDeadlineMs).then(() => parking.park(items)) },
  };
};

const slowTable: BrokenPorts = ({ take }) => {
  const store = memoryCallStore();
  return { calls: { record: async (...args) => take(storeDeadlineMs).then(() => store.record(...args)) } };
};

const quarterOfAnHour = 15;

const answered = (what: string, ...statuses: readonly number[]): Scenario => ({
  what,
  cause: async (deployed) => logging({ deployed, statuses }),
});

/** What can go wrong between a post and its answer, by the alarm that is there for it. */
export const callbackFaults: readonly Fault[] = [
  {
    alarm: 'CallbacksFail',
    ...posted('Neither the table nor the parking queue takes a record.', calls(1), () => ({
      calls: { record: unavailable },
      parking: { park: unavailable },
    })),
    near: [posted('The table is down, and the call is parked.', calls(1), callTableDown)],
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

const minuteMs = 60_000;

/** Accounts that are read as often as it takes, each time with this outcome. */
const accountsBy =
  (outcome: (reading: number) => Promise<string>): BrokenPorts =>
  ({ telemetry, clock }) => {
    let readings = 0;
    return { accounts: cachedAccounts(() => outcome(readings++), { telemetry, clock }) };
  };

const { userName, apiKeys } = demoAccount;
const readable = JSON.stringify([{ userName, apiKeys }]);
const readOnce = accountsBy(async (reading) => (reading === 0 ? readable : unavailable()));
const unreadOnce = accountsBy(async (reading) => (reading === 1 ? unavailable() : readable));

const strangers = (count: number) => Array.from({ length: count }, (_, index) => ({ hello: index }));
const strangersCalls = (count: number) => calls(count, { Apikey: 'stranger', UserName: 'stranger' });
const ofOther = { UserName: 'other', Apikey: 'other-key' };

/** DynamoDB with the counter of what strangers left in this minute, and nothing else. */
const countingTable: BrokenPorts = () => {
  let kept = 0;
  const send = async ({ input }: { readonly input: { readonly UpdateExpression?: string } }) => {
    if (input.UpdateExpression === undefined) return {};
    if (kept >= unknownSenderEntriesPerMinute)
      throw new ConditionalCheckFailedException({ message: 'full', $metadata: {} });
    kept += 1;
    return { Attributes: { entryCount: { N: String(kept) } } };
  };
  return { quarantine: dynamoQuarantine({ client: { send } as never, tableName: 'quarantine', retentionDays: 9 }) };
};

/** What can go wrong with who posts and what, by the alarm that is there for it. */
export const senderFaults: readonly Fault[] = [
  {
    alarm: 'AccountsUnreadable',
    ...posted(
      'The secret still holds its placeholder.',
      calls(1),
      accountsBy(async () => accountsPlaceholder),
    ),
    near: [
      posted('A stranger posts with a key that nobody knows.', strangersCalls(1)),
      posted('The secret can no longer be read, and the last accounts serve on.', calls(9), readOnce, 5 * minuteMs),
    ],
  },
  {
    alarm: 'AccountsStale',
    ...posted('Somebody takes away the right to the secret.', calls(9), readOnce, 5 * minuteMs),
    near: [posted('One reading of the secret takes too long.', calls(9), unreadOnce, 5 * minuteMs)],
  },
  {
    alarm: 'AccountRejected',
    ...posted(
      'One account’s key was changed at the service only, and calls of the other go on.',
      [...calls(3, { Apikey: 'new-key' }), ...calls(9, ofOther)],
      undefined,
      minuteMs,
    ),
    near: [
      posted('Strangers post, and name none of the accounts.', strangersCalls(9)),
      posted('Two posts come with a new key, before it is in the secret.', calls(2, { Apikey: 'new-key' })),
    ],
  },
  {
    alarm: 'EveryCallbackRejected',
    ...posted(
      'The account’s key was changed at the service only, where few calls are made.',
      calls(3, { Apikey: 'new-key' }),
      undefined,
      15 * minuteMs,
    ),
    near: [
      posted('Strangers post beside the service.', [...strangersCalls(5), call(9)]),
      posted(
        'They do while the table is down, and the service’s calls are parked.',
        [...strangersCalls(5), call(9)],
        callTableDown,
      ),
      posted('They are two.', strangersCalls(2)),
      posted('Nobody calls at night, while the service posts other things.', screenPops(29), undefined, minuteMs),
      posted('It posts many of them beside a call.', [call(1), ...screenPops(58)], undefined, minuteMs),
    ],
  },
  {
    alarm: 'QuarantineGrows',
    ...posted('The service posts what is not understood.', Array(10).fill([call(1), 42])),
    near: [
      posted('It posts fewer than ten of them.', Array(9).fill([call(1), 42])),
      posted('It posts other things than calls.', screenPops(30)),
    ],
  },
  {
    alarm: 'QuarantineDropsPosts',
    ...posted(
      'A stranger posts more in a minute than is kept.',
      strangers(unknownSenderEntriesPerMinute + 1),
      countingTable,
      100,
    ),
    near: [
      posted('A stranger posts as much as is kept.', strangers(unknownSenderEntriesPerMinute), countingTable, 100),
    ],
  },
];

/** The same faults in other shapes. */
export const moreSenderFaults: readonly (Scenario & { readonly alarm: string })[] = [
  {
    alarm: 'EveryCallbackRejected',
    ...posted('The service has changed what a call looks like.', screenPops(30), undefined, minuteMs),
  },
  { alarm: 'AccountRejected', ...posted('An account’s posts have lost their key.', calls(3, { Apikey: '' })) },
];

const parked = (what: string, downMinutes: number, minutes: number): Scenario => ({
  what,
  cause: ({ deployment, queue }) => recovering({ deployment, queue, downMinutes, minutes }),
});

/** What can go wrong with calls that wait for their table, by the alarm that is there for it. */
export const parkingFaults: readonly Fault[] = [
  {
    alarm: 'CallbacksParked',
    ...posted('The table takes no writes.', calls(5), callTableDown),
    near: [
      posted('A few writes are too slow.', calls(4), callTableDown),
      posted('The quarantine’s table is not even asked.', calls(5), () => ({ quarantine: { store: unavailable } })),
    ],
  },
  {
    alarm: 'ParkedOverdue',
    ...parked('The table is down for 40 minutes.', 40, 60),
    near: [parked('The table is back after 20 minutes.', 20, 60)],
  },
  {
    alarm: 'ParkedDeadLettered',
    ...parked('The table is down for more than a day.', 25 * 60, 25 * 60),
    near: [parked('The table is back after 23 hours.', 23 * 60, 25 * 60)],
  },
];
