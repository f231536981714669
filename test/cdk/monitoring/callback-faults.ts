import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { accountsDeadlineMs, parkingDeadlineMs, storeDeadlineMs } from '../../../functions/adapters/aws-clients.ts';
import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { dynamoQuarantine } from '../../../functions/adapters/dynamo-quarantine.ts';
import { accountsPlaceholder } from '../../../lib/account/placeholder.ts';
import { strangersPerMinute } from '../../../lib/callback/quarantine-entry.ts';
import type { ReceivePorts } from '../../../lib/receive-callback.ts';
import { down, fixedAccounts, memoryCallStore, memoryParking } from '../../lib/support/ports.ts';
import { summaryWith } from '../../support/deliveries.ts';
import type { Fault, Happening } from './fault.ts';
import { type Around, receiving } from './runs/receiving.ts';

type Broken = (around: Around) => Partial<ReceivePorts>;

/** Posts come, and something is broken. */
const posted = (what: string, posts: readonly unknown[], broken?: Broken, everyMs?: number): Happening => ({
  what,
  cause: ({ deployment }) =>
    receiving({ deployment, posts, ...(broken && { broken }), ...(everyMs !== undefined && { everyMs }) }),
});

const call = (id: number, fields: object = {}) => summaryWith({ monitorUCID: String(id), ...fields });
const calls = (count: number, fields?: object) => Array.from({ length: count }, (_, index) => call(index + 1, fields));
const strangers = (count: number) => Array.from({ length: count }, (_, index) => ({ hello: index }));

const noTable: Broken = () => ({ calls: { record: down } });
const noAccounts: Broken = ({ telemetry, clock }) => ({
  accounts: cachedAccounts(async () => accountsPlaceholder, { telemetry, clock }),
});

/** DynamoDB with the counter of what strangers left in this minute, and nothing else. */
const countingTable: Broken = () => {
  let kept = 0;
  const send = async ({ input }: { readonly input: { readonly UpdateExpression?: string } }) => {
    if (input.UpdateExpression === undefined) return {};
    if (kept >= strangersPerMinute) throw new ConditionalCheckFailedException({ message: 'full', $metadata: {} });
    kept += 1;
    return { Attributes: { kept: { N: String(kept) } } };
  };
  return { quarantine: dynamoQuarantine({ client: { send } as never, tableName: 'quarantine', retentionDays: 9 }) };
};

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

/** What can go wrong between a post and a row, by the alarm that is there for it. */
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
    alarm: 'RepliesSlow',
    ...posted('Every service takes as long as it may.', calls(quarterOfAnHour), slow, 60_000),
    near: [posted('The table is slow, but answers in time.', calls(quarterOfAnHour), slowTable, 60_000)],
  },
  {
    alarm: 'AccountsUnreadable',
    ...posted('The secret still holds its placeholder.', calls(1), noAccounts),
    near: [posted('A stranger posts with a key that nobody knows.', calls(1, { Apikey: 'stranger' }))],
  },
  {
    alarm: 'EveryCallbackRefused',
    ...posted('The account’s key was changed at the service only.', calls(5, { Apikey: 'new-key' })),
    near: [
      posted('Strangers post beside the service.', [...calls(5, { Apikey: 'stranger' }), call(9)]),
      posted(
        'They do while the table is down, and the service’s calls are parked.',
        [...calls(5, { Apikey: 'stranger' }), call(9)],
        noTable,
      ),
      posted('They are four.', calls(4, { Apikey: 'stranger' })),
    ],
  },
  {
    alarm: 'QuarantineGrows',
    ...posted('The service posts what is not understood.', Array(10).fill([call(1), 42])),
    near: [posted('It posts fewer than ten of them.', Array(9).fill([call(1), 42]))],
  },
  {
    alarm: 'QuarantineDropsPosts',
    ...posted('A stranger posts more in a minute than is kept.', strangers(strangersPerMinute + 1), countingTable, 100),
    near: [posted('A stranger posts as much as is kept.', strangers(strangersPerMinute), countingTable, 100)],
  },
  {
    alarm: 'CallbacksParked',
    ...posted('The table takes no writes.', calls(1), noTable),
    near: [posted('The quarantine’s table is not even asked.', calls(1), () => ({ quarantine: { keep: down } }))],
  },
];
