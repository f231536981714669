import fc from 'fast-check';
import { accountIndex } from '../../../../lib/accounts/account-index.ts';
import { classifyRecords } from '../../../../lib/callback/classify-records.ts';
import { type KeyedDelivery, normaliseRecords } from '../../../../lib/callback/normalise-records.ts';
import { faultKinds } from '../../../deployment/functions.ts';
import type { Reply } from '../../../deployment/world.ts';
import { formOf, httpApiEvent } from '../../../support/local-servers.ts';
import { posted } from '../../../support/posted-records.ts';
import { must } from '../../property.ts';
import { callAccounts, type FaultRule, straySecret } from '../processes.ts';

export type AccountIndex = 0 | 1;

/** One post of the telephony service. Keys and user names are added when it is played. */
export interface Post {
  readonly account: AccountIndex;
  /** Call summaries and participants in the sender’s spelling. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Whether a single record is posted as a list too. */
  readonly asList: boolean;
}

/** A participant always has its own field here. */
export const isParticipant = (record: Post['records'][number]): boolean => 'ExitStatus' in record;

/** A place for one process at a time. */
export type Slot = 'receiver 0' | 'receiver 1' | 'recovery' | 'publisher';

export type Activity =
  | { readonly do: 'post'; readonly via: 0 | 1; readonly post: Post }
  /** Repeats a post, by its index modulo their number. */
  | { readonly do: 'repeat'; readonly via: 0 | 1; readonly of: number }
  /** Repeats every post that was not acknowledged. */
  | { readonly do: 'retry'; readonly via: 0 | 1 }
  | { readonly do: 'recover' }
  | { readonly do: 'publish'; readonly batch: number }
  | { readonly do: 'restart'; readonly slot: Slot }
  /** The clock advances, or is set back, during other activities. */
  | { readonly do: 'clock'; readonly ms: number };

/** Concurrent activities, some time after those before. */
interface Step {
  readonly clockMs: number;
  readonly together: readonly Activity[];
}

/** Everything that decides what happens. */
export interface CallsHistory {
  /** Decides the order in which concurrent calls take effect. */
  readonly turnsSeed: number;
  /** The faults of the processes of each slot, in the order of their starts. */
  readonly processes: Readonly<Record<Slot, readonly (readonly FaultRule[])[]>>;
  readonly steps: readonly Step[];
}

const mostly = <Value>(usual: Value, other: Value) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const maybe = <Value>(...values: readonly Value[]) => seldom(fc.constantFrom(...values));

const recording = fc.nat({ max: 3 }).map((number) => `https://r.example/PERSON-${number}.mp3`);
const recordings = seldom(fc.array(recording, { minLength: 1, maxLength: 2 }).map((urls) => urls.join(',')));
/** A summary whose CallID repeats its monitorUCID may come without the latter, if it still shows that it is one. */
const withoutMonitorId = <Sent extends Readonly<Record<'monitorUCID' | 'CallID' | 'Status', string | undefined>>>({
  monitorUCID,
  ...others
}: Sent) => (others.CallID === monitorUCID && others.Status?.includes('nswered') ? others : { monitorUCID, ...others });

const callIds = ['41781234567890123', '41781234567890124'] as const;
const times = ['2026-11-20 11:00:00', '2026-11-20 11:02:00', '2026-11-20 11:05:00'] as const;

/** The ids of a summary: some accounts send one that repeats another, one of a leg, or not all of them. */
const ids = {
  monitorUCID: mostly(...callIds),
  CallID: maybe('7', ...callIds),
  UCID: maybe('leg 1', 'leg 2', callIds[0]),
};

/** Two calls and their legs with few values for each field, so that deliveries often agree and often differ. */
const callRecord = fc
  .record({
    ...ids,
    Status: maybe('Answered', 'NotAnswered', 'Fail', ''),
    Disposition: maybe('Wrap up time exceeded :120', 'Sale', 'Refund', 'WrapUp Time Exceeded -> Sale', 'None'),
    AudioFile: recordings,
    CallerConfAudioFile: recordings,
    AgentID: maybe('1001', '1001 -> 1002', '1002 -> 1001 -> 1003', '-'),
    CallerID: maybe('0990PERSON', '0991PERSON'),
    Comments: maybe('PERSON one', 'PERSON two', `PERSON ${straySecret}`),
    CallDuration: maybe('00:00:10', '12', 'soon'),
    StartTime: maybe(...times, 'soon'),
    EndTime: maybe(...times),
    CustomerStatus: maybe('answered', 'DND', 'Busy -> DND'),
    SkillID: maybe('1', '2'),
    Tenant: maybe('a', 'b'),
  })
  .map(withoutMonitorId);

const participantRecord = fc.record({
  UCID: fc.constantFrom(...callIds, 'leg 1', 'leg 2'),
  CallID: fc.constant('9'),
  ParticipantNumber: maybe('0992PERSON'),
  ExitStatus: fc.constantFrom('', 'HANGUP', 'TRANSFER'),
  AgentName: maybe('PERSON Asha', 'PERSON Ravi'),
  StartTime: maybe(times[0]),
  PickupTime: maybe(times[1], 'soon'),
  EndTime: maybe(...times),
  Audio: recordings,
  DialStatus: maybe('SUCCESS', 'FAILED'),
});

/** Posts of one to three records. */
const posts: fc.Arbitrary<Post> = fc
  .record({
    account: mostly(0 as const, 1 as const),
    calls: fc.array(callRecord, { minLength: 1, maxLength: 2 }),
    participants: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(participantRecord, { minLength: 1, maxLength: 2 }) },
    ),
    asList: fc.boolean(),
  })
  .map(({ account, calls, participants, asList }) => ({
    account,
    asList,
    records: [...calls, ...participants].map((record) => JSON.parse(JSON.stringify(record))),
  }));

const via = fc.constantFrom(0 as const, 1 as const);

/** Three leaps side by side are within the fifteen seconds of the receiver: after them Lambda would have ended its run. */
const withinRun = { weight: 6, arbitrary: fc.integer({ min: 0, max: 3_000 }) };
const setBack = [
  { weight: 2, arbitrary: fc.integer({ min: -5_000, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: -300_000, max: -5_000 }) },
];

/** Mostly some seconds. Sometimes a message’s visibility time-out passes, or the clock is set back. */
const clockMs = fc.oneof(withinRun, { weight: 2, arbitrary: fc.constant(400_000) }, ...setBack);

const slots = ['receiver 0', 'receiver 1', 'recovery', 'publisher'] as const;

const activity: fc.Arbitrary<Activity> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant('post' as const), via, post: posts }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), via, of: fc.nat({ max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), via }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recover' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('publish' as const), batch: fc.constantFrom(100, 1, 2, 3) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), slot: fc.constantFrom(...slots) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clock' as const), ms: fc.oneof(withinRun, ...setBack) }) },
);

const step: fc.Arbitrary<Step> = fc.record({ clockMs, together: fc.array(activity, { minLength: 1, maxLength: 3 }) });

/** The SDK retries a call that fails once; an outage is longer. */
const rule = (...services: readonly FaultRule['service'][]): fc.Arbitrary<FaultRule> =>
  fc.record({
    from: fc.constantFrom(0, 0, 1, 2, 3, 4, 6),
    count: fc.constantFrom(1, 1, 2, 2, 4, 30),
    fault: fc.constantFrom(...faultKinds.filter((fault) => fault !== 'pass'), 'partial' as const),
    service: fc.constantFrom(...services),
  });

/** The table is down, and parking may have a fault as well. */
const outage: fc.Arbitrary<readonly FaultRule[]> = fc
  .tuple(
    fc.constantFrom('fail' as const, 'throttle' as const),
    fc.constantFrom(...faultKinds),
    fc.constantFrom(3, 5, 30),
  )
  .map(([down, parking, count]) => [
    { from: 0, count: 30, fault: down, service: 'dynamodb' },
    { from: 0, count, fault: parking, service: 'sqs' },
  ]);

/** The faults of a slot’s first processes; later ones have none. */
const lives = (...services: readonly FaultRule['service'][]) => {
  const injected = fc.array(rule(...services), { minLength: 1, maxLength: 2 });
  const some = { weight: services.includes('sqs') ? 2 : 0, arbitrary: outage };
  const life = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: injected }, some);
  return fc.array(life, { maxLength: 3 });
};

/** Histories of two accounts' calls: shrunk, they have fewer steps, fewer faults and smaller posts. */
export const callsHistories: fc.Arbitrary<CallsHistory> = fc.record({
  turnsSeed: fc.nat({ max: 999_999 }),
  processes: fc.record({
    'receiver 0': lives(undefined, 'dynamodb', 'sqs'),
    'receiver 1': lives(undefined, 'dynamodb'),
    recovery: lives(undefined),
    publisher: lives(undefined),
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 7 }),
});

/** The records of a post as they are sent: summaries name the account and its key, participants neither. */
const recordsOf = ({ account, records }: Post): readonly object[] => {
  const { userName, apiKeys } = callAccounts[account];
  return records.map((record) =>
    isParticipant(record) ? record : { ...record, UserName: userName, Apikey: apiKeys[0] },
  );
};

export const eventOf = (post: Post) => {
  const records = recordsOf(post);
  return httpApiEvent({ body: formOf(records.length === 1 && !post.asList ? records[0] : records) });
};

/** One attempt: its time by the receiver’s clock, and whether it was acknowledged. */
interface Try {
  readonly post: Post;
  readonly at: string;
  readonly isAcknowledged: boolean;
}

export const createLedger = () => {
  const posts: Post[] = [];
  const tries: Try[] = [];
  const acknowledged = new Set<Post>();

  return {
    posts,
    tries,
    add: (post: Post) => posts.push(post),
    tried(post: Post, at: string, reply: Reply | undefined) {
      const isAcknowledged = reply?.statusCode === 200;
      must(
        isAcknowledged || reply === undefined || reply.statusCode === 503,
        () => `A post was answered ${reply?.statusCode}`,
      );
      if (isAcknowledged)
        must(
          countIn(reply) === post.records.length,
          () => `A post of ${post.records.length} records was answered ${reply?.body}`,
        );
      if (isAcknowledged) acknowledged.add(post);
      tries.push({ post, at, isAcknowledged });
    },
    /** The posts that were tried and never acknowledged. */
    outstanding: () => [...new Set(tries.map(({ post }) => post))].filter((post) => !acknowledged.has(post)),
  };
};

export type Ledger = ReturnType<typeof createLedger>;

const countIn = (reply: Reply | undefined): number =>
  Object.values<unknown>(JSON.parse(reply?.body ?? '{}')).reduce((sum: number, count) => sum + Number(count), 0);

const { redact } = accountIndex(callAccounts);

const understood = (post: Post): readonly KeyedDelivery[] =>
  normaliseRecords(classifyRecords(recordsOf(post).map(posted)), {
    account: callAccounts[post.account],
    receivedAt: '',
    redact,
  }).deliveries;

const parsedPosts = new WeakMap<Post, readonly KeyedDelivery[]>();

/** The deliveries of a post, each with the key of its record. */
export const deliveriesIn = (post: Post): readonly KeyedDelivery[] => {
  const known = parsedPosts.get(post) ?? understood(post);
  parsedPosts.set(post, known);
  return known;
};
