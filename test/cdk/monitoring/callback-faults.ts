import type { Context } from 'aws-lambda';
import { parkingDeadlineMs, storeDeadlineMs } from '../../../functions/adapters/aws-clients.ts';
import { createReceiveHandler } from '../../../functions/receive-callback/app.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import type { FailingPart } from '../../deployment/index.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { manualClock } from '../../support/memory-ports.ts';
import { call, calls, down, logging, parked, posted, postedToSecret, screenPops } from './callback-scenarios.ts';
import { crash, crashing, type During, type Fault, metricRecorder, type Scenario } from './scenario.ts';

/** While posts arrive, each call to this part takes so long. */
const slowly =
  (part: FailingPart, milliseconds: number): During =>
  (d, post) =>
    d.before(part, {}, () => d.advance(milliseconds)).during(post);

/** The table, which is tried twice and fails, and the queue take as long as their deadlines. */
const slow: During = (d, post) =>
  slowly('calls', storeDeadlineMs / 2)(d, () =>
    slowly('sqs', parkingDeadlineMs)(d, () => d.fail('calls').during(post)),
  );

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
  {
    alarm: 'ReceiverCrashes',
    ...crashing(
      'The receiver crashes.',
      async ({ telemetryOf }) => {
        const parts = { telemetry: telemetryOf('receive-callback'), secretSha256: undefined };
        const event: unknown = httpApiEvent({ body: formOf(call(1)) });
        return createReceiveHandler({ ...parts, receive: crash })(event as never, {} as Context);
      },
      ({ crashed, aws }) => {
        crashed('ReceiveCallback');
        aws('AWS/ApiGateway', '5xx', { ApiId: 'ApiHttpApi.Ref' }, 1);
      },
    ),
  },
  {
    alarm: 'CallbacksFail',
    ...posted('Neither the table nor the parking queue accepts a record.', calls(1), down('calls', 'sqs')),
    near: [posted('The table is down, and the call is parked.', calls(1), down('calls'))],
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
    ...posted('Table and queue take as long as their deadlines.', calls(quarterOfAnHour), {
      during: slow,
      everyMs: 60_000,
    }),
    near: [
      posted('The table is slow, but answers within its deadline.', calls(quarterOfAnHour), {
        during: slowly('calls', storeDeadlineMs),
        everyMs: 60_000,
      }),
    ],
  },
];

const minuteMs = 60_000;
const everyMinute = { everyMs: minuteMs };

/** The first reading of the secret succeeds, and this many further calls for it fail. */
const unreadableFor =
  (times: number): During =>
  (d, post) =>
    d.fail('secrets', { after: 1, times }).during(post);

const unreadable = { during: unreadableFor(Number.POSITIVE_INFINITY), everyMs: 5 * minuteMs };

const callsOfUnknownSender = (count: number) => calls(count, { Apikey: 'unknown', UserName: 'unknown' });
const ofOther = { UserName: 'other', Apikey: 'other-key' };

/** Faults of senders and of what they post, with their alarms. */
export const senderFaults: readonly Fault[] = [
  {
    alarm: 'AccountsUnreadable',
    ...posted('The secret still holds its placeholder.', calls(1), {
      async during(d, post) {
        d.putAccounts(accountsPlaceholder);
        await post();
      },
    }),
    near: [
      posted('An unknown sender posts with an unknown key.', callsOfUnknownSender(1)),
      posted('The secret becomes unreadable, and the last accounts stay in use.', calls(9), unreadable),
    ],
  },
  {
    alarm: 'AccountsStale',
    ...posted('Somebody removes the permission to read the secret.', calls(9), unreadable),
    near: [posted('One reading of the secret fails.', calls(9), { ...unreadable, during: unreadableFor(2) })],
  },
  {
    alarm: 'AccountRejected',
    ...posted(
      'One account’s key was changed only at the service, and the other’s calls go on.',
      [...calls(3, { Apikey: 'new-key' }), ...calls(9, ofOther)],
      everyMinute,
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
      { everyMs: 15 * minuteMs },
    ),
    near: [
      posted('Unknown senders post besides the service.', [...callsOfUnknownSender(5), call(9)]),
      posted(
        'Unknown senders post while the table is down and calls are parked.',
        [...callsOfUnknownSender(5), call(9)],
        down('calls'),
      ),
      posted('Unknown senders post only twice.', callsOfUnknownSender(2)),
      posted('Nobody calls at night, and the service posts only screen pops.', screenPops(29), everyMinute),
      posted('The service posts many screen pops besides a call.', [call(1), ...screenPops(58)], everyMinute),
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
    ...posted('The service has changed the format of calls.', screenPops(30), everyMinute),
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
    ...posted('The table accepts no writes.', calls(5), down('calls')),
    near: [
      posted('A few writes fail.', calls(4), down('calls')),
      posted('The quarantine table is down, but is not needed.', calls(5), down('quarantine')),
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
