import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { dynamoQuarantine } from '../../../functions/adapters/dynamo-quarantine.ts';
import { accountsPlaceholder } from '../../../lib/account/placeholder.ts';
import { strangersPerMinute } from '../../../lib/callback/quarantine-entry.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { down } from '../../lib/support/ports.ts';
import type { Fault, Happening } from './fault.ts';
import { type Broken, call, calls, noTable, posted, screenPops } from './posts.ts';

const minuteMs = 60_000;

/** Accounts that are read as often as it takes, each time with this outcome. */
const accountsBy =
  (outcome: (reading: number) => Promise<string>): Broken =>
  ({ telemetry, clock }) => {
    let readings = 0;
    return { accounts: cachedAccounts(() => outcome(readings++), { telemetry, clock }) };
  };

const { userName, apiKeys } = demoAccount;
const readable = JSON.stringify([{ userName, apiKeys }]);
const readOnce = accountsBy(async (reading) => (reading === 0 ? readable : down()));
const unreadOnce = accountsBy(async (reading) => (reading === 1 ? down() : readable));

const strangers = (count: number) => Array.from({ length: count }, (_, index) => ({ hello: index }));
const strangersCalls = (count: number) => calls(count, { Apikey: 'stranger', UserName: 'stranger' });
const ofOther = { UserName: 'other', Apikey: 'other-key' };

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
    alarm: 'AccountsOutdated',
    ...posted('Somebody takes away the right to the secret.', calls(9), readOnce, 5 * minuteMs),
    near: [posted('One reading of the secret takes too long.', calls(9), unreadOnce, 5 * minuteMs)],
  },
  {
    alarm: 'AccountRefused',
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
    alarm: 'EveryCallbackRefused',
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
        noTable,
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
    ...posted('A stranger posts more in a minute than is kept.', strangers(strangersPerMinute + 1), countingTable, 100),
    near: [posted('A stranger posts as much as is kept.', strangers(strangersPerMinute), countingTable, 100)],
  },
];

/** The same faults in other shapes. */
export const moreSenderFaults: readonly (Happening & { readonly alarm: string })[] = [
  {
    alarm: 'EveryCallbackRefused',
    ...posted('The service has changed what a call looks like.', screenPops(30), undefined, minuteMs),
  },
  { alarm: 'AccountRefused', ...posted('An account’s posts have lost their key.', calls(3, { Apikey: '' })) },
];
