import type { Context } from 'aws-lambda';
import { createReceiveHandler } from '../../../functions/receive-callback/app.ts';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { formOf, httpApiEvent } from '../../support/local-servers.ts';
import { manualClock } from '../../support/memory-ports.ts';
import { call, calls, down, logging, parked, posted, postedToSecret, screenPops } from './callback-scenarios.ts';
import { crash, crashing, type During, type Fault, metricRecorder, type Scenario } from './scenario.ts';

const answered = (what: string, ...statuses: readonly number[]): Scenario => ({
  what,
  cause: async (deployed) => logging(deployed, statuses),
});

/** A post for which no code runs, as too many runs are under way. */
const throttledByLambda: Scenario = {
  what: 'More receivers are needed at once than may run.',
  cause: async (deployed) => {
    const time = manualClock('2026-11-20T06:00:00.000Z');
    const { aws, run } = metricRecorder(time.clock, deployed);
    aws('AWS/ApiGateway', '5xx', { ApiId: 'ApiHttpApi.Ref' }, 1);
    time.advance(1_000);
    return run();
  },
};

/** Faults between a post and its reply, with their alarms. */
export const callbackFaults: readonly Fault[] = [
  {
    alarm: 'CallbacksFail',
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
  { alarm: 'CallbacksFail', ...throttledByLambda },
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
    alarm: 'CallbacksFail',
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
    alarm: 'AccountRejected',
    ...posted(
      'One account’s key was changed only at the service, and the other’s calls go on.',
      [...calls(3, { Apikey: 'new-key' }), ...calls(9, ofOther)],
      everyMinute,
    ),
    near: [
      posted('Two posts arrive with a new key before it is in the secret.', [
        ...calls(2, { Apikey: 'new-key' }),
        ...calls(1, ofOther),
      ]),
      posted('Unknown senders post besides the service, and name none of the accounts.', [
        ...callsOfUnknownSender(9),
        call(9),
      ]),
    ],
  },
  {
    alarm: 'AccountRejected',
    ...postedToSecret('It was, and the service posts to the secret address.', [
      ...calls(3, { Apikey: 'new-key' }),
      call(9, ofOther),
    ]),
    near: [
      postedToSecret('Two posts arrive at the secret address for a user whom the accounts lack.', [
        ...calls(2, { Apikey: '', UserName: 'nobody' }),
        call(9, ofOther),
      ]),
    ],
  },
  {
    alarm: 'AccountRejected',
    ...posted('An account’s posts arrive without their key.', [...calls(3, { Apikey: '' }), call(9, ofOther)]),
  },
  {
    alarm: 'AccountRejected',
    ...postedToSecret('Posts arrive at the secret address for a user whom the accounts lack.', [
      ...calls(3, { Apikey: '', UserName: 'nobody' }),
      call(9, ofOther),
    ]),
  },
  {
    alarm: 'CallsNotRecorded',
    ...posted(
      'The account’s key was changed only at the service, and few calls are made.',
      calls(3, { Apikey: 'new-key' }),
      { everyMs: 15 * minuteMs },
    ),
    also: ['AccountRejected'],
    near: [
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
    alarm: 'CallsNotRecorded',
    ...posted('The service has changed the format of calls.', screenPops(30), everyMinute),
  },
  {
    alarm: 'CallsNotRecorded',
    ...posted('The service posts records that cannot be read.', Array(10).fill([call(1), 42])),
    near: [
      posted('The service posts fewer than ten of them.', Array(9).fill([call(1), 42])),
      posted('The service posts words that nobody knows, in every field that has words.', [
        ...calls(2, { Status: 'Abandoned', Type: 'Kiosk', HangupBy: 'Robot', CampaignStatus: 'ASLEEP' }),
        call(3, { AgentStatus: 'a -> answered', CustomerStatus: 'b', DialStatus: 'c', TransferType: 'd' }),
      ]),
    ],
  },
];

/** Faults of calls that wait for their table, with their alarms. */
export const parkingFaults: readonly Fault[] = [
  {
    alarm: 'ParkedOverdue',
    ...parked('The table is down for 40 minutes.', 40, 60),
    near: [
      parked('The table is back after 20 minutes.', 20, 60),
      posted('The table accepts no writes for a moment.', calls(5), down('calls')),
    ],
  },
  { alarm: 'ParkedOverdue', ...parked('Recovery crashes.', 0, 60, () => crash) },
  {
    alarm: 'ParkedDeadLettered',
    ...parked('The table is down for more than a day.', 25 * 60, 25 * 60),
    also: ['ParkedOverdue'],
    near: [{ ...parked('The table is back after 23 hours.', 23 * 60, 25 * 60), also: ['ParkedOverdue'] }],
  },
];
