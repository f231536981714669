import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { errorAnswer, noAnswer } from '../../deployment/telephony.ts';
import { kolkataAccount, otherAccount, polledAccount, tokenAccount } from '../../fixtures/accounts.ts';
import { unavailable } from '../../support/memory-ports.ts';
import { newCall, summaryWith } from '../../support/posted-records.ts';
import { between, busy, onThePhone, polled, pollerCrash } from './agent-scenarios.ts';
import {
  answered,
  call,
  calls,
  down,
  lambdaThrottle,
  parked,
  posted,
  receiverCrash,
  screenPops,
} from './callback-scenarios.ts';
import { analysed, archived, forwarded, reconciled } from './feature-scenarios.ts';
import { keyDisabled, published, unpublished } from './publishing-scenarios.ts';
import { crash, type During, type Scenario } from './scenario.ts';

const minuteMs = 60_000;
const everyMs = minuteMs;
const hours = 60;
const downForADay = { downMinutes: 24 * hours, minutes: 24 * hours };

/** The first reading of the secret succeeds, and further calls for it fail. */
const unreadable: During = (d, post) => d.fail('secrets', { after: 1 }).during(post);
const placeholder: During = async (d, post) => {
  d.putAccounts(accountsPlaceholder);
  await post();
};

const callsOfUnknownSender = (count: number) => calls(count, { Apikey: 'unknown', UserName: 'unknown' });
const ofOther = { UserName: 'other', Apikey: 'other-key' };
const secret = 'a-long-callback-secret';
const ofNobody = { Apikey: '', UserName: 'nobody' };

/** Between a post and its reply. */
const callbacks: readonly Scenario[] = [
  { raises: ['CallbacksFail'], what: 'The receiver crashes.', cause: receiverCrash },
  { raises: ['CallbacksFail'], what: 'More receivers are needed at once than may run.', cause: lambdaThrottle },
  posted(['CallbacksFail'], 'Neither the table nor the parking queue accepts a record.', {
    posts: calls(1),
    during: down('calls', 'sqs'),
  }),
  posted([], 'The table accepts no writes for a moment, and the calls are parked.', {
    posts: calls(5),
    during: down('calls'),
  }),
  answered(['CallbacksThrottled'], 'Requests arrive faster than the throttle allows.', [200, 429]),
  answered([], 'Requests are rejected for other reasons.', [200, 400, 401, 413, 415, 503]),
  posted(['CallbacksFail'], 'The secret still holds its placeholder.', { posts: calls(1), during: placeholder }),
  posted([], 'The secret becomes unreadable, and the last accounts stay in use.', {
    posts: calls(9),
    during: unreadable,
    everyMs: 5 * minuteMs,
  }),
];

/** What senders post. */
const senders: readonly Scenario[] = [
  posted(['AccountRejected'], 'One account’s key was changed only at the service, and the other’s calls go on.', {
    posts: [...calls(3, { Apikey: 'new-key' }), ...calls(9, ofOther)],
    everyMs,
  }),
  posted([], 'Two posts arrive with a new key before it is in the secret.', {
    posts: [...calls(2, { Apikey: 'new-key' }), ...calls(1, ofOther)],
    everyMs,
  }),
  posted([], 'Unknown senders post besides the service, and name none of the accounts.', {
    posts: [...callsOfUnknownSender(9), call(9)],
    everyMs,
  }),
  posted(['AccountRejected'], 'One account’s key was changed, and the service posts to the secret address.', {
    posts: [...calls(3, { Apikey: 'new-key' }), call(9, ofOther)],
    secret,
  }),
  posted([], 'Posts arrive without a key that only guess the name of an account.', {
    posts: [...calls(9, { Apikey: '' }), call(9, ofOther)],
  }),
  posted(['AccountRejected'], 'Posts arrive at the secret address for a user who is in no account.', {
    posts: [...calls(3, ofNobody), call(9, ofOther)],
    secret,
  }),
  posted([], 'Two posts arrive at the secret address for a user who is in no account.', {
    posts: [...calls(2, ofNobody), call(9, ofOther)],
    secret,
  }),
  posted(
    ['CallsNotRecorded', 'AccountRejected'],
    'The account’s key was changed only at the service, and few calls are made.',
    { posts: calls(3, { Apikey: 'new-key' }), everyMs: 15 * minuteMs },
  ),
  posted([], 'Unknown senders post while the table is down and calls are parked.', {
    posts: [...callsOfUnknownSender(5), call(9)],
    during: down('calls'),
  }),
  posted([], 'Unknown senders post only twice.', { posts: callsOfUnknownSender(2) }),
  posted([], 'Nobody calls at night, and the service posts only screen pops.', { posts: screenPops(29), everyMs }),
  posted([], 'The service posts many screen pops besides a call.', { posts: [call(1), ...screenPops(58)], everyMs }),
  posted(['CallsNotRecorded'], 'The service has changed the format of calls.', { posts: screenPops(30), everyMs }),
  posted(['CallsNotRecorded'], 'The service posts records that cannot be read.', {
    posts: Array(10).fill([call(1), 42]),
  }),
  posted([], 'The service posts fewer than ten of them.', { posts: Array(9).fill([call(1), 42]) }),
  posted([], 'The service posts words that nobody knows, in every field that has words.', {
    posts: [
      ...calls(2, { Status: 'Abandoned', Type: 'Kiosk', HangupBy: 'Robot', CampaignStatus: 'ASLEEP' }),
      call(3, { AgentStatus: 'a -> answered', CustomerStatus: 'b', DialStatus: 'c', TransferType: 'd' }),
    ],
  }),
  posted([], 'Calls arrive, one of them twice, and an unknown sender posts once.', {
    posts: [summaryWith(), summaryWith(), summaryWith({ monitorUCID: '7' }), summaryWith({ Apikey: 'unknown' })],
  }),
];

/** Calls that wait for their table. */
const parking: readonly Scenario[] = [
  parked(['ParkedOverdue'], 'The table is down for 40 minutes.', { downMinutes: 40, minutes: 60 }),
  parked([], 'The table is back after 20 minutes.', { downMinutes: 20, minutes: 60 }),
  parked(['ParkedOverdue'], 'Recovery crashes.', { minutes: 60, recoverBy: () => crash }),
  parked(['ParkedOverdue', 'ParkedDeadLettered'], 'The table is down for more than a day.', {
    downMinutes: 25 * hours,
    minutes: 25 * hours,
  }),
  parked(['ParkedOverdue'], 'The table is back after 23 hours.', { downMinutes: 23 * hours, minutes: 25 * hours }),
  parked([], 'A parked call is recovered at once.', { minutes: 10 }),
];

/** Between a row and its event. */
const publishing: readonly Scenario[] = [
  published(['EventsLate'], 'The bus cannot be reached for six minutes.', {
    downMinutes: 6,
    minutes: 10,
    publishWhileDown: unavailable,
  }),
  published([], 'The bus is back after four minutes.', {
    downMinutes: 4,
    minutes: 10,
    publishWhileDown: unavailable,
  }),
  published([], 'The bus rejects an event once.', { downMinutes: 1, minutes: 10 }),
  published(['EventsLate'], 'The publisher crashes.', { isCrashing: true, minutes: 10 }),
  published(['EventsLate', 'EventsMissing'], 'Lambda may not write to the failed-changes bucket.', {
    ...downForADay,
    isBucketClosed: true,
  }),
  unpublished(['EventsMissing'], 'The event source mapping is disabled: the publisher does not run.', {}),
  unpublished([], 'It is disabled after the first event, and for less than half an hour.', { isFirstPublished: true }),
  unpublished([], 'Only three deliveries arrive in a quarter of an hour, which may change nothing.', {
    everyMinutes: 5,
  }),
  published(['EventsMissing'], 'Somebody else writes a row of a published kind.', {
    row: { kind: 'call', pk: 'x', sk: 'y' },
  }),
  published([], 'Callfeed writes a row.', { row: newCall(7).after }),
  published(['CallEventsFailed', 'EventsLate', 'EventsMissing'], 'The bus rejects events of calls for a day.', {
    ...downForADay,
  }),
  published(['EventsLate', 'EventsMissing'], 'The bus accepts them again after 22 hours.', {
    downMinutes: 22 * hours,
    minutes: 24 * hours,
  }),
  published(['AgentEventsFailed', 'EventsLate', 'EventsMissing'], 'The bus rejects events of agents for a day.', {
    ...downForADay,
    table: 'Agents',
  }),
  keyDisabled(['BusDeadLettered'], 'The key of the bus is disabled for a minute, and an event waits.', 1),
  keyDisabled([], 'The key is never disabled.', 0),
];

/** Between the service’s list and the rows of agents, and between agents’ calls and their callbacks. */
const agents: readonly Scenario[] = [
  polled(['AgentsStale'], 'The service does not answer for four minutes.', {
    minutes: 8,
    replyAt: between(2, 6, noAnswer('connection')),
  }),
  polled([], 'The service does not answer for a minute.', {
    minutes: 8,
    replyAt: between(2, 3, noAnswer('connection')),
  }),
  polled([], 'Somebody’s queries cost two polls.', {
    minutes: 4,
    replyAt: between(1, 1.5, errorAnswer('Max limit exceeded')),
  }),
  { raises: ['AgentsStale'], what: 'The poller crashes.', cause: pollerCrash, scheduled: 'poller' },
  polled(['AgentsStale'], 'The table of agents is down.', {
    minutes: 6,
    during: (d, poll) => d.fail('agents').during(poll),
  }),
  polled(['AgentsStale'], 'The schedule is disabled, and sends no ticks.', {
    minutes: 15,
    ticks: (minute) => (minute < 5 ? [1] : []),
  }),
  polled([], 'The schedule sends no ticks for two minutes.', {
    minutes: 15,
    ticks: (minute) => (minute >= 5 && minute < 7 ? [] : [1]),
  }),
  polled([], 'Agents are polled with a token, and a tick arrives late.', {
    minutes: 19,
    accounts: [tokenAccount],
    ticks: (minute) => (minute === 3 ? [1, 200] : [1]),
  }),
  polled(['AgentsStale'], 'All ticks that arrive are stale.', { minutes: 15, ticks: () => [1_000] }),
  polled(['AgentsStale'], 'Something else polls with the same account.', {
    minutes: 8,
    replyAt: between(1, 6, errorAnswer('Max limit exceeded')),
  }),
  polled(['AgentsStale'], 'A new deployment’s account has a wrong key.', {
    minutes: 20,
    replyAt: () => errorAnswer('userName or apiKey is Invalid'),
  }),
  polled(['AgentsStale'], 'A new deployment’s account has a wrong address.', {
    minutes: 20,
    replyAt: () => noAnswer('connection'),
  }),
  polled(['AgentsStale'], 'A new deployment has no accounts yet.', { minutes: 20, accounts: accountsPlaceholder }),
  polled(['AgentsStale'], 'The poller alone finds a malformed secret.', { minutes: 5, accounts: '[{}]' }),
  polled(['CallbacksSilent'], 'The callback address is broken: agents end calls, and no callback comes.', {
    minutes: 15,
    replyAt: onThePhone(),
  }),
  polled([], 'Callbacks come, one in each minute.', { minutes: 15, replyAt: onThePhone(), posting: kolkataAccount }),
  polled([], 'Two agents alone end calls that are never posted.', { minutes: 15, replyAt: onThePhone(2) }),
  polled([], 'The calls ended less than six minutes ago.', { minutes: 6, replyAt: onThePhone() }),
  polled([], 'The account posts no callbacks.', {
    minutes: 15,
    replyAt: onThePhone(),
    accounts: [{ ...kolkataAccount, callbacks: 'off' }],
  }),
  polled(['CallbacksSilent'], 'One account’s address is broken, and another account works.', {
    minutes: 15,
    replyAt: onThePhone(),
    posting: otherAccount,
    accounts: [kolkataAccount, { ...polledAccount, ...otherAccount }],
  }),
  polled(['EventsMissing'], 'The publisher does not run while agents change with every poll.', {
    minutes: 35,
    replyAt: busy,
    isPublisherOff: true,
  }),
];

/** What only the service’s report shows. A run that begins and reads two pages has three messages. */
const reconciliation: readonly Scenario[] = [
  reconciled(['CallbacksMissing'], 'The callback address at the service is mistyped.', { lost: 5 }),
  reconciled([], 'Few calls are made, and none of their callbacks arrives.', { lost: 4 }),
  reconciled([], 'A fifth of the callbacks do not arrive.', { posted: 20, lost: 5 }),
  reconciled(['CallbacksMissing'], 'More than a fifth of the callbacks do not arrive.', { posted: 20, lost: 6 }),
  reconciled([], 'The first reading of the report finds calls from before the deployment.', {
    lost: 50,
    isFirstUse: true,
  }),
  reconciled([], 'Reconciliation finds one call in forty, and completes the others.', {
    hours: 8,
    posted: 39,
    lost: 1,
  }),
  reconciled(['ReconciliationSilent'], 'Each hour a run reads two pages, and then its next message gets lost.', {
    hours: 7,
    messages: 3,
  }),
  reconciled(['ReconciliationSilent'], 'The service does not answer for seven hours.', {
    hours: 8,
    isUp: (hour) => hour < 1,
  }),
  reconciled([], 'The service does not answer for three hours.', { hours: 8, isUp: (hour) => hour < 1 || hour > 3 }),
];

/** Between a row and another receiver. */
const forwarding: readonly Scenario[] = [
  forwarded(['ForwardingFails'], 'The old receiver answers 500 for an hour and a half.', {
    minutes: 90,
    down: [0, 90],
  }),
  forwarded([], 'The old receiver answers 500 for ten minutes.', { minutes: 90, down: [0, 10] }),
  forwarded([], 'One post in twenty fails once.', { minutes: 90, isBusy: true }),
  forwarded([], 'The old receiver is gone, and so is its address.', { minutes: 90, down: [0, 90], removedAfter: 10 }),
  forwarded([], 'Deliveries are forwarded, and one attempt fails.', { minutes: 60, down: [0, 1] }),
  forwarded(['ForwardingFails'], 'Forwarding cannot read the table for an hour and a half.', {
    minutes: 90,
    unreadable: [0, 90],
  }),
  forwarded([], 'Forwarding cannot read the table for ten minutes.', { minutes: 90, unreadable: [0, 10] }),
  forwarded(['ForwardingLate'], 'The queue accepts nothing for half an hour.', { minutes: 45, queueDownMinutes: 35 }),
  forwarded([], 'The queue accepts nothing for a moment.', { minutes: 45, queueDownMinutes: 1 }),
  forwarded(['ForwardingLate'], 'Each run ends when it sends to the queue.', {
    minutes: 35,
    queueDownMinutes: 35,
    isCrashing: true,
  }),
  forwarded(['ForwardingLate'], 'Six calls come while two are sent.', { minutes: 60, calls: [6, 60], sentPerStep: 2 }),
  forwarded([], 'Five calls come at once, of which ten minutes later the last is sent.', {
    minutes: 60,
    calls: [5, 5],
    sentPerStep: 2,
  }),
  forwarded(['ForwardingFails'], 'The old receiver is back after an hour, and gets what waited behind a delivery.', {
    minutes: 90,
    down: [0, 60],
    isRevised: true,
  }),
  forwarded(['ForwardingStopped'], 'Nothing is taken from the queue.', {
    minutes: 90,
    down: [0, 5],
    disabled: [5, 90],
  }),
  forwarded([], 'Nothing is taken from it for ten minutes.', { minutes: 90, down: [0, 5], disabled: [5, 15] }),
  forwarded(['ForwardingFails', 'ForwardingDeadLettered'], 'The old receiver is gone for more than a day.', {
    minutes: 26 * hours,
    down: [0, 26 * hours],
  }),
  forwarded(['ForwardingFails'], 'The old receiver is gone for most of a day.', {
    minutes: 23 * hours,
    down: [0, 22 * hours],
  }),
];

/** Between a call and its recording. */
const recordings: readonly Scenario[] = [
  archived(['RecordingsFail'], 'The host of recordings denies access for two hours.', {
    minutes: 120,
    calls: 5,
    problemAt: () => 'not-allowed',
  }),
  archived([], 'One recording is not there for an hour.', {
    minutes: 60,
    calls: 3,
    problemAt: (_minute, url) => (url.endsWith('/1') ? 'not-found' : undefined),
  }),
  archived([], 'Recordings are archived, some of them minutes later.', {
    minutes: 60,
    calls: 4,
    problemAt: (minute, url) => (url.endsWith('/2') && minute < 20 ? 'not-found' : undefined),
  }),
  archived(['RecordingsFail'], 'The bucket of recordings takes nothing for two hours.', {
    minutes: 120,
    calls: 5,
    isBucketOut: true,
  }),
  archived(['RecordingsGivenUp'], 'A recording is on a host that is not in the list.', {
    minutes: 30,
    calls: 2,
    problemAt: (_minute, url) => (url.endsWith('/1') ? 'other-host' : undefined),
  }),
  archived(['RecordingsLate'], 'Twenty calls come while two are taken.', { minutes: 60, calls: 20, takenAt: () => 2 }),
  archived([], 'Six calls come, of which ten minutes later the last is taken.', {
    minutes: 60,
    calls: 6,
    takenAt: () => 2,
  }),
  archived(['RecordingsStopped'], 'Nothing is taken from the queue of recordings.', {
    minutes: 60,
    calls: 3,
    takenAt: () => 0,
  }),
  archived([], 'Nothing is taken from it for ten minutes.', {
    minutes: 60,
    calls: 3,
    takenAt: (minute) => (minute < 10 ? 0 : 9),
  }),
  archived([], 'A recording is there after three hours.', {
    minutes: 5 * hours,
    calls: 2,
    problemAt: (minute, url) => (url.endsWith('/1') && minute < 3 * hours ? 'empty' : undefined),
  }),
];

const cannotRun = 'Firehose lost its right to run the function for';

/** Between an event and a row in S3. */
const analytics: readonly Scenario[] = [
  analysed(['AnalyticsUndelivered'], 'Firehose rejects an event for a day.', { undelivered: 1 }),
  analysed([], 'Every kind of event comes, also one that is replayed and those that make no row.', {}),
  analysed(['AnalyticsCallRevisionsNotMade'], `${cannotRun} calls.`, { failing: 'CallRevisions' }),
  analysed(['AnalyticsAgentChangesNotMade'], `${cannotRun} agents.`, { failing: 'AgentChanges' }),
];

/** What raises each alarm; below it what comes close, and raises none or fewer. */
export const scenarios: readonly Scenario[] = [
  ...[callbacks, senders, parking, publishing, agents, reconciliation, forwarding, recordings, analytics].flat(),
];
