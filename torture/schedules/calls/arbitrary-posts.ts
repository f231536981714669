import fc from 'fast-check';
import type { Post } from './calls-history.ts';
import { straySecret } from './cast.ts';

const mostly = <Value>(usual: Value, other: Value) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const maybe = <Value>(...values: readonly Value[]) => seldom(fc.constantFrom(...values));

const recording = fc.nat({ max: 3 }).map((number) => `https://r.example/PERSON-${number}.mp3`);
const recordings = seldom(fc.array(recording, { minLength: 1, maxLength: 2 }).map((urls) => urls.join(',')));
const callIds = ['41781234567890123', '41781234567890124'] as const;
const times = ['2026-11-20 11:00:00', '2026-11-20 11:02:00', '2026-11-20 11:05:00'] as const;

/** What two calls and their legs are told of, with few values for each field: deliveries agree and contradict often. */
const callRecord = fc.record({
  monitorUCID: mostly(...callIds),
  CallID: mostly(undefined, '7'),
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
});

const participantRecord = fc.record({
  UCID: mostly(...callIds),
  CallID: fc.constant('9'),
  ExitStatus: fc.constantFrom('', 'HANGUP', 'TRANSFER'),
  AgentName: maybe('PERSON Asha', 'PERSON Ravi'),
  StartTime: maybe(times[0]),
  PickupTime: maybe(times[1], 'soon'),
  EndTime: maybe(...times),
  Audio: recordings,
  DialStatus: maybe('SUCCESS', 'FAILED'),
});

/** Posts of one to three records. */
export const posts: fc.Arbitrary<Post> = fc
  .record({
    account: mostly(0 as const, 1 as const),
    calls: fc.array(callRecord, { minLength: 1, maxLength: 2 }),
    participants: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(participantRecord, { minLength: 1, maxLength: 1 }) },
    ),
    asList: fc.boolean(),
  })
  .map(({ account, calls, participants, asList }) => ({
    account,
    asList,
    records: [...calls, ...participants].map((record) => JSON.parse(JSON.stringify(record))),
  }));
