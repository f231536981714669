import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { accountsDeadlineMs, parkingDeadlineMs, storeDeadlineMs } from '../../../functions/adapters/aws-clients.ts';
import { dynamoQuarantine } from '../../../functions/adapters/dynamo-stores.ts';
import { cachedAccounts } from '../../../functions/adapters/secret-accounts.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { unknownSenderEntriesPerMinute } from '../../../lib/callback/quarantine.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { fixedAccounts, manualClock, memoryCallStore, memoryParking, unavailable } from '../../support/memory-ports.ts';
import {
  type BrokenPorts,
  call,
  calls,
  callTableDown,
  logging,
  parked,
  posted,
  postedToSecret,
  screenPops,
} from './callback-scenarios.ts';
import { crash, type Fault, metricRecorder, type Scenario } from './scenario.ts';

/** All services take as long as their deadline: the accounts, the table, which then fails, and the queue. */
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
  cause: async (deployed) => logging(deployed, statuses),
});

/** Posts, of which Lambda throttles the last. No code runs for it; AWS counts it. */
const throttledByLambda = (what: string, ...throttles: readonly number[]): Scenario => ({
  what,
  cause: async (deployed) => {
    const time = manualClock('2026-11-20T06:00:00.000Z');
    const { aws, run } = metricRecorder(time.clock, deployed);
    for (const count of throttles) {
      aws('AWS/Lambda', 'Throttles', { FunctionName: 'ReceiveCallbackServiceFunction.Ref' }, count);
      aws('AWS/ApiGateway', '5xx', { ApiId: 'ApiHttpApi.Ref' }, count);
      time.advance(1_000);
    }
    return run();
  },
});

/** Faults between a post and its reply, with their alarms. */
export const callbackFaults: readonly Fault[] = [
  { alarm: 'ReceiverCrashes', ...posted('The receiver crashes.', calls(1), () => ({ clock: crash })) },
  {
    alarm: 'CallbacksFail',
    ...posted('Neither the table nor the parking queue accepts a record.', calls(1), () => ({
      calls: { record: unavailable },
      parking: { park: unavailable },
    })),
    near: [posted('The table is down, and the call is parked.', calls(1), callTableDown)],
  },
  {
    alarm: 'CallbacksThrottled',
    ...answered('Requests arrive faster than the throttle allows.', 200, 429),
    near: [answered('Requests are rejected for other reasons.', 200, 400, 401, 413, 415, 503)],
  },
  {
    alarm: 'ReceiverThrottled',
    ...throttledByLambda('More receivers are needed at once than may run.', 0, 0, 1),
    near: [throttledByLambda('As many are needed as may run.', 0, 0, 0)],
  },
  {
    alarm: 'RepliesSlow',
    ...posted('Every service takes as long as its deadline.', calls(quarterOfAnHour), slow, 60_000),
    near: [posted('The table is slow, but answers within its deadline.', calls(quarterOfAnHour), slowTable, 60_000)],
  },
];

const minuteMs = 60_000;

/** Accounts that are read again and again, with an outcome for each time. */
const accountsBy =
  (outcome: (reading: number) => Promise<string>): BrokenPorts =>
  ({ telemetry, clock }) => {
    let readings = 0;
    return { accounts: cachedAccounts(() => outcome(readings++), { telemetry, clock }) };
  };

const readable = JSON.stringify([demoAccount]);
const readOnce = accountsBy(async (reading) => (reading === 0 ? readable : unavailable()));
const unreadableOnce = accountsBy(async (reading) => (reading === 1 ? unavailable() : readable));

const unknownPosts = (count: number) => Array.from({ length: count }, (_, index) => ({ hello: index }));
const callsOfUnknownSender = (count: number) => calls(count, { Apikey: 'unknown', UserName: 'unknown' });
const ofOther = { UserName: 'other', Apikey: 'other-key' };

/** DynamoDB with only the counter of entries from unknown senders in this minute. */
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

/** Faults of senders and of what they post, with their alarms. */
export const senderFaults: readonly Fault[] = [
  {
    alarm: 'AccountsUnreadable',
    ...posted(
      'The secret still holds its placeholder.',
      calls(1),
      accountsBy(async () => accountsPlaceholder),
    ),
    near: [
      posted('An unknown sender posts with an unknown key.', callsOfUnknownSender(1)),
      posted('The secret becomes unreadable, and the last accounts stay in use.', calls(9), readOnce, 5 * minuteMs),
    ],
  },
  {
    alarm: 'AccountsStale',
    ...posted('Somebody removes the permission to read the secret.', calls(9), readOnce, 5 * minuteMs),
    near: [posted('One reading of the secret takes too long.', calls(9), unreadableOnce, 5 * minuteMs)],
  },
  {
    alarm: 'AccountRejected',
    ...posted(
      'One account’s key was changed only at the service, and the other’s calls go on.',
      [...calls(3, { Apikey: 'new-key' }), ...calls(9, ofOther)],
      undefined,
      minuteMs,
    ),
    near: [
      posted('Unknown senders post and name none of the accounts.', callsOfUnknownSender(9)),
      posted('Two posts arrive with a new key before it is in the secret.', calls(2, { Apikey: 'new-key' })),
      postedToSecret('Posts arrive at the secret address with a new key.', calls(9, { Apikey: 'new-key' })),
    ],
  },
  {
    alarm: 'UnknownKeysQuarantined',
    ...postedToSecret('The account’s key was changed only at the service, which posts to the secret address.', [
      call(1, { Apikey: 'new-key' }),
      call(2, ofOther),
    ]),
    near: [
      posted('Unknown senders post, and the deployment has no secret address.', callsOfUnknownSender(9)),
      postedToSecret('A user that the accounts lack posts to the secret address.', [
        call(1, { Apikey: '', UserName: 'nobody' }),
      ]),
    ],
  },
  {
    alarm: 'EveryCallbackRejected',
    ...posted(
      'The account’s key was changed only at the service, and few calls are made.',
      calls(3, { Apikey: 'new-key' }),
      undefined,
      15 * minuteMs,
    ),
    near: [
      posted('Unknown senders post besides the service.', [...callsOfUnknownSender(5), call(9)]),
      posted(
        'Unknown senders post while the table is down and calls are parked.',
        [...callsOfUnknownSender(5), call(9)],
        callTableDown,
      ),
      posted('Unknown senders post only twice.', callsOfUnknownSender(2)),
      posted('Nobody calls at night, and the service posts only screen pops.', screenPops(29), undefined, minuteMs),
      posted('The service posts many screen pops besides a call.', [call(1), ...screenPops(58)], undefined, minuteMs),
    ],
  },
  {
    alarm: 'QuarantineGrows',
    ...posted('The service posts records that cannot be read.', Array(10).fill([call(1), 42])),
    near: [
      posted('The service posts fewer than ten of them.', Array(9).fill([call(1), 42])),
      posted('The service posts screen pops.', screenPops(30)),
    ],
  },
  {
    alarm: 'QuarantineDropsPosts',
    ...posted(
      'Unknown senders post more in a minute than is stored.',
      unknownPosts(unknownSenderEntriesPerMinute + 1),
      countingTable,
      100,
    ),
    near: [
      posted(
        'Unknown senders post as much as is stored.',
        unknownPosts(unknownSenderEntriesPerMinute),
        countingTable,
        100,
      ),
    ],
  },
  {
    alarm: 'UnknownWords',
    ...posted('The service posts words that nobody knows, in every field that has words.', [
      ...calls(2, { Status: 'Abandoned', Type: 'Kiosk', HangupBy: 'Robot', CampaignStatus: 'ASLEEP' }),
      call(3, { AgentStatus: 'a -> answered', CustomerStatus: 'b', DialStatus: 'c', TransferType: 'd' }),
      [call(4), { UCID: '4', ParticipantNumber: '1', DialStatus: 'e' }],
    ]),
    near: [
      posted('Somebody tries a word that nobody knows, and the service repeats it.', [
        ...calls(2, { Status: 'Abandoned' }),
        ...calls(2, { Status: 'Abandoned' }),
      ]),
      posted('Known words come in another spelling, or with a parameter.', [
        ...calls(9, { Status: 'ANSWERED', DialStatus: 'QTimeExceeded{60}' }),
      ]),
    ],
  },
  {
    alarm: 'EveryCallbackRejected',
    ...posted('The service has changed the format of calls.', screenPops(30), undefined, minuteMs),
  },
  { alarm: 'AccountRejected', ...posted('An account’s posts arrive without their key.', calls(3, { Apikey: '' })) },
  {
    alarm: 'AccountRejected',
    ...postedToSecret(
      'Posts arrive at the secret address for a user whom the accounts lack.',
      calls(3, { Apikey: '', UserName: 'nobody' }),
    ),
  },
];

/** Faults of calls that wait for their table, with their alarms. */
export const parkingFaults: readonly Fault[] = [
  { alarm: 'RecoveryCrashes', ...parked('Recovery crashes.', 0, 60, () => crash) },
  {
    alarm: 'CallbacksParked',
    ...posted('The table accepts no writes.', calls(5), callTableDown),
    near: [
      posted('A few writes are too slow.', calls(4), callTableDown),
      posted('The quarantine table is down, but is not needed.', calls(5), () => ({
        quarantine: { store: unavailable },
      })),
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
