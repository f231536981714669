import fc from 'fast-check';
import * as z from 'zod';
import { CallFacts, ParticipantFacts } from '../../lib/calls/schema.ts';
import { wireCallFields, wireParticipantFields } from '../../lib/telephony/call-fields.ts';

// Posts with values by which somebody could be found. Each value has the word of `sentinel`.

/** What no event without personal data may have a trace of. */
export const sentinel = /sentinel/i;

/** Once, several times, and now and then too often for an event. */
const times = fc.oneof(
  { weight: 300, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 1, arbitrary: fc.constant(20_000) },
);

/** Values by which somebody could be found. */
export const personalValue = fc
  .tuple(fc.stringMatching(/^[a-z0-9]{1,8}$/), fc.constantFrom('', ' -> ', ',', ' '), times)
  .map(([text, between, count]) => Array(count).fill(`Sentinel-${text}`).join(between));

/** The sender’s personal fields, and those whose text is kept where it cannot be read. */
const personalFieldNames = (shape: typeof CallFacts.shape | typeof ParticipantFacts.shape) => [
  ...Object.values(shape).flatMap((fact) => {
    const { personal, origin } = z.globalRegistry.get(fact) ?? {};
    return personal === true && typeof origin === 'string' ? [origin] : [];
  }),
  ...['StartTime', 'EndTime', 'Duration', 'PickupTime', 'SomethingNew', 'Sentinel key'],
];

/** Which fields of a post are generated, and which are the same in all posts. */
interface PostFields {
  readonly fields: readonly string[];
  readonly fixed: object;
}

const recordOf = <Value>(fields: readonly string[], value: fc.Arbitrary<Value>) =>
  fc.record(Object.fromEntries(fields.map((name) => [name, value])), { requiredKeys: [] });

const someOf = <Post>(post: fc.Arbitrary<Post>) => fc.array(post, { minLength: 1, maxLength: 3 });

const posts = ({ fields, fixed }: PostFields) =>
  someOf(recordOf(fields, personalValue).map((post) => ({ ...post, ...fixed })));

/** Posts about one call, with personal data in any field that may have such. */
export const callPosts = posts({
  fields: personalFieldNames(CallFacts.shape),
  fixed: { monitorUCID: '41781234567890123', CampaignName: 'Support', Disposition: 'Sale' },
});

export const participantPosts = posts({
  fields: personalFieldNames(ParticipantFacts.shape),
  fixed: { UCID: '41781234567890123', CallID: 9 },
});

/** Values that hold no single text, and so belong into no field. */
const nestedValue = fc.oneof(
  personalValue.map((value) => ({ CallerID: value })),
  personalValue.map((value) => ({ 'Sentinel name': [{ a: `1 -> ${value}` }] })),
  personalValue.map((value) => [value, 9198]),
  personalValue.map((value) => [[{ value }]]),
  // The same as a text, as other programs put it into fields that are no id.
  personalValue.map((value) => JSON.stringify({ note: `call -> ${value}` })),
);

const ids = new Set(['monitorUCID', 'UCID']);

/** An id that is a text would be kept as it is. */
const withoutIdTexts = (post: object): object =>
  Object.fromEntries(Object.entries(post).filter(([name, value]) => !(ids.has(name) && typeof value === 'string')));

/** What may be a leg of its own, or none that can be read. */
const legs = fc.constantFrom<object>({}, { UCID: 'a', AgentID: 'asha' }, { UCID: 'b', AgentID: 'ravi -> asha' });

const nestedPosts = ({ fields, fixed }: PostFields) =>
  someOf(
    fc.tuple(recordOf(fields, nestedValue), legs).map(([post, leg]) => ({ ...withoutIdTexts(post), ...leg, ...fixed })),
  );

/** Posts about one call, with a nested value in any field. */
export const nestedCallPosts = nestedPosts({
  fields: [...wireCallFields, 'SomethingNew', 'Sentinel key'],
  fixed: {
    monitorUCID: '41781234567890123',
    UserName: undefined,
    Apikey: undefined,
    EndTime: '2026-11-20 11:00:00',
  },
});

export const nestedParticipantPosts = nestedPosts({
  fields: [...wireParticipantFields, 'SomethingNew', 'Sentinel key'],
  fixed: { UCID: '41781234567890123', ExitStatus: 'x', ParticipantNumber: '7', StartTime: '', AgentName: '' },
});
