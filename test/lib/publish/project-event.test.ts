import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CallFacts, ParticipantFacts } from '../../../lib/calls/schema.ts';
import { CallSummaryRecorded } from '../../../lib/contract/call-events.ts';
import { eventSchemasFor } from '../../../lib/contract/events.ts';
import { eventsOf, type RowChange } from '../../../lib/publish/events-of-change.ts';
import { declaredPartsOf, maxDetailBytes, projectEvent, truncateToLimit } from '../../../lib/publish/project-event.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { deployment, success } from '../../deployment/index.ts';
import { fieldRows } from '../../fixtures/call-fields.ts';
import { holds, holdsAsync } from '../../support/arbitraries.ts';
import { everyEvent } from '../../support/every-event.ts';
import {
  callEventOf,
  changesFromDeliveries,
  deliveryAt,
  newCall,
  normalisedRecords,
} from '../../support/posted-records.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const projectAll = projectEvent('keep');

const detailOf = (call: object) => {
  const event = callEventOf(newCall(1, { status: 'answered', timeZone: 'UTC', ...call }));
  return (event && projectAll(event).detail) as unknown as Readonly<Record<string, unknown>> & {
    call: Record<string, unknown>;
  };
};

const lists = ['agentIds', 'agentNames', 'comments', 'dispositions', 'fallbackSteps', 'transferredTo', 'recordings'];
const manyOf = (text: string, count: number) =>
  Object.fromEntries(lists.map((name) => [name, Array.from({ length: count }, (_, index) => text + index)]));

/** A leg with every fact, so with more than a truncated map keeps. */
const leg = {
  ...Object.fromEntries(fieldRows.filter(([, , fact]) => fact !== 'callId').map(([, , fact, value]) => [fact, value])),
  status: 'answered',
  timeZone: 'UTC',
  ucid: '1',
};

const tooLarge: readonly (readonly [string, object])[] = [
  ['one long text', { uui: 'x'.repeat(300_000) }],
  ['a list of many entries', { comments: Array.from({ length: 60_000 }, (_, index) => `c${index}`) }],
  ['one long entry of a list', { comments: ['x'.repeat(300_000)] }],
  ['many unknowns', { extra: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 'x'])) }],
  ['an unknown field with a long name', { extra: { ['k'.repeat(300_000)]: 'x' } }],
  ['a note on a long value', { notes: [{ field: 'endedAt', reason: 'unparsable-time', asSent: 'x'.repeat(300_000) }] }],
  ['characters of three bytes', { uui: '€'.repeat(90_000) }],
  ['characters of two units', { uui: '😀'.repeat(70_000), extra: { ['😀'.repeat(70_000)]: '😀' } }],
  ['control characters, which JSON makes six bytes of', { uui: '\u0001'.repeat(50_000) }],
  ['many long lists', manyOf('x'.repeat(5_000), 30)],
  ['many long lists of control characters', manyOf('\u0001'.repeat(2_000), 30)],
  ['quotes and backslashes', { uui: '"\\'.repeat(100_000) }],
  ['many legs', { legs: Array.from({ length: 50 }, () => ({ ...leg, comments: ['x'.repeat(9_000)] })) }],
  ['a long text beside legs', { uui: 'x'.repeat(300_000), legs: [leg, { ...leg, ucid: '2' }] }],
];

describe('truncateToLimit, of a call’s event', () => {
  it.each(tooLarge)('makes %s fit, satisfies the contract, and names the truncated fields', (_title, call) => {
    const detail = detailOf(call);
    const sent = { status: 'answered', timeZone: 'UTC', ...call } as Record<string, unknown>;
    const different = Object.keys(sent).filter(
      (field) => JSON.stringify(detail.call[field]) !== JSON.stringify(sent[field]),
    );

    expect(bytesOf(detail)).toBeLessThanOrEqual(maxDetailBytes);
    expect(CallSummaryRecorded.safeParse(detail).error).toBeUndefined();
    expect(detail['shortenedFields']).toEqual(different.sort());
    expect(JSON.stringify(detail)).not.toMatch(/\\ud[89a-f]/i);
  });

  it('truncates the largest values first, and no more of them than needed', () => {
    expect(detailOf({ uui: 'x'.repeat(150_000), skillName: 'y'.repeat(150_001) })).toMatchObject({
      shortenedFields: ['skillName'],
      call: { uui: 'x'.repeat(150_000), skillName: 'y'.repeat(1_000) },
    });
  });

  it('keeps the beginning of a truncated list', () => {
    const comments = Array.from({ length: 60_000 }, (_, index) => `c${index}`);

    expect(detailOf({ comments }).call['comments']).toEqual(comments.slice(0, 20));
  });
});

describe('truncateToLimit', () => {
  it('keeps numbers, null and booleans, even if everything else is truncated', () => {
    const lists = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, ['x'.repeat(1_500)]]));
    const detail = truncateToLimit({ call: { ...lists, seconds: 1_234_567, nothing: null, yes: true } }, 'call');

    expect(detail.call).toMatchObject({ f0: ['x'.repeat(100)], seconds: 1_234_567, nothing: null, yes: true });
    expect(truncateToLimit({ call: { list: Array(40_000).fill(1_234_567) } }, 'call').call.list).toEqual(
      Array(20).fill(1_234_567),
    );
  });

  it('makes the event of a participant fit too', () => {
    const detail = { id: '1', recordedAt: '', participant: { exitStatus: 'x'.repeat(300_000) } };
    const event = projectAll({ type: 'Call Participant Recorded', key: '', detail });

    expect(bytesOf(event.detail)).toBeLessThan(maxDetailBytes);
  });

  it('leaves a detail of exactly the limit as it is', () => {
    const room = maxDetailBytes - bytesOf({ call: { uui: '' } });
    const detail = { call: { uui: 'x'.repeat(room) } };

    expect(truncateToLimit(detail, 'call')).toBe(detail);
    expect(truncateToLimit({ call: { uui: 'x'.repeat(room + 1) } }, 'call')).not.toHaveProperty(
      'call.uui.length',
      room + 1,
    );
  });

  it('stops as soon as a detail fits', () => {
    const cut = { a: 'x'.repeat(1_000), b: '' };
    const room = maxDetailBytes - bytesOf({ call: cut, shortenedFields: ['a'] });
    const whole = 'y'.repeat(room);

    expect(truncateToLimit({ call: { a: 'x'.repeat(room + 1), b: whole } }, 'call')).toEqual({
      call: { ...cut, b: whole },
      shortenedFields: ['a'],
    });
  });

  it('truncates to 100 characters and 10 entries at most', () => {
    // Nothing that is cut makes room enough.
    const other = 'x'.repeat(maxDetailBytes);
    const call = { texts: Array.from({ length: 12 }, () => 'x'.repeat(110)), text: 'y'.repeat(110) };

    expect(truncateToLimit({ call, other }, 'call').call).toEqual({
      texts: Array.from({ length: 10 }, () => 'x'.repeat(100)),
      text: 'y'.repeat(100),
    });
  });
});

const agent = z.strictObject({ id: z.string(), skills: z.array(z.string()).readonly().optional() });
const schema = z.strictObject({
  agent: agent.optional(),
  agents: z.array(agent).min(1).readonly().optional(),
  agentId: z.string(),
  word: z.string(),
  count: z.int(),
});
const read = (value: object) => declaredPartsOf(schema, value);

describe('declaredPartsOf', () => {
  it.each<[string, object, object]>([
    ['declared fields', { count: 1, word: 'b' }, { count: 1, word: 'b' }],
    ['no object in place of a text', { word: { a: 'b' } }, {}],
    ['no list in place of a text', { word: ['b'], count: [1] }, {}],
    ['no null in place of a text', { word: null }, {}],
    ['no JSON of an object in place of a text', { word: '{"a":"b"}' }, {}],
    ['no JSON of a list in place of a text', { word: '[9198]' }, {}],
    ['no list of texts with JSON among it', { agent: { id: '1', skills: ['Sales', '["b"]'] } }, { agent: { id: '1' } }],
    ['no JSON that was split like a chain', { agent: { id: '1', skills: ['[9,"', '"]'] } }, { agent: { id: '1' } }],
    ['a text in brackets', { word: '[VIP] {Sales}' }, { word: '[VIP] {Sales}' }],
    ['an id as it is', { agentId: '{"a":"b"}' }, { agentId: '{"a":"b"}' }],
    ['no object in place of an id', { agentId: { a: 'b' } }, {}],
    ['no undeclared field', { count: 1, name: 'Asha' }, { count: 1 }],
    ['no undeclared field of an inner object', { agent: { id: '1', name: 'Asha', ucid: '7' } }, { agent: { id: '1' } }],
    ['no undeclared field of an object in a list', { agents: [{ id: '1', name: 'Asha' }] }, { agents: [{ id: '1' }] }],
    ['no text in place of an object', { agent: 'Asha', agents: ['Asha', { id: '1' }] }, { agents: [{ id: '1' }] }],
    ['no object in place of a list', { agents: { name: 'Asha' } }, {}],
    ['no list in place of an object', { agent: [{ id: '1' }] }, {}],
    ['no null in place of an object', { agent: null, agents: [null] }, { agents: [] }],
    ['no undefined value', { agent: undefined, count: undefined }, {}],
    ['fields in their order', { word: '', count: 0, agent: { id: '' } }, { word: '', count: 0, agent: { id: '' } }],
  ])('copies %s', (_title, value, taken) => {
    expect(JSON.stringify(read(value))).toBe(JSON.stringify(taken));
  });
});

const projectWithoutPersonal = projectEvent('leave-out');
const schemas = eventSchemasFor('leave-out');

/** What no event may hold a trace of. */
const sentinel = /sentinel/i;

/** Once, several times, and now and then too often for an event. */
const times = fc.oneof(
  { weight: 300, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 1, arbitrary: fc.constant(20_000) },
);

/** Values by which somebody could be found. */
const personalValue = fc
  .tuple(fc.stringMatching(/^[a-z0-9]{1,8}$/), fc.constantFrom('', ' -> ', ',', ' '), times)
  .map(([text, between, count]) => Array(count).fill(`Sentinel-${text}`).join(between));

/** The sender’s fields that are declared to tell of people, and those of which the text is kept where it cannot be read. */
const personalFieldNames = (shape: typeof CallFacts.shape | typeof ParticipantFacts.shape) => [
  ...Object.values(shape).flatMap((fact) => {
    const { personal, origin } = z.globalRegistry.get(fact) ?? {};
    return personal === true && typeof origin === 'string' ? [origin] : [];
  }),
  ...['StartTime', 'EndTime', 'Duration', 'PickupTime', 'SomethingNew', 'Sentinel key'],
];

const posts = (fields: readonly string[], plain: object) =>
  fc.array(
    fc
      .record(Object.fromEntries(fields.map((name) => [name, personalValue])), { requiredKeys: [] })
      .map((post) => ({ ...post, ...plain })),
    { minLength: 1, maxLength: 3 },
  );

const callPosts = posts(personalFieldNames(CallFacts.shape), {
  monitorUCID: '41781234567890123',
  CampaignName: 'Support',
  Disposition: 'Sale',
});
const participantPosts = posts(personalFieldNames(ParticipantFacts.shape), { UCID: '41781234567890123', CallID: 9 });

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
const isText = (value: unknown) => typeof value === 'string';

/** Posts about one call, with a nested value in any field, and a leg of their own, or none that can be read. */
const nestedPosts = (fields: readonly string[], plain: object) =>
  fc.array(
    fc
      .tuple(
        fc.record(Object.fromEntries(fields.map((name) => [name, nestedValue])), { requiredKeys: [] }),
        fc.constantFrom({}, { UCID: 'a', AgentID: 'asha' }, { UCID: 'b', AgentID: 'ravi -> asha' }),
      )
      .map(([post, leg]) => ({
        ...Object.fromEntries(Object.entries(post).filter(([name, value]) => !(ids.has(name) && isText(value)))),
        ...leg,
        ...plain,
      })),
    { minLength: 1, maxLength: 3 },
  );

const nestedCalls = nestedPosts([...wireCallFields, 'SomethingNew', 'Sentinel key'], {
  monitorUCID: '41781234567890123',
  UserName: undefined,
  Apikey: undefined,
  EndTime: '2026-11-20 11:00:00',
});
const nestedParticipants = nestedPosts([...wireParticipantFields, 'SomethingNew', 'Sentinel key'], {
  UCID: '41781234567890123',
  ExitStatus: 'x',
  ParticipantNumber: '7',
  StartTime: '',
  AgentName: '',
});

const changesFrom = (said: readonly object[]): readonly RowChange[] => {
  const records = said.flatMap((post) => normalisedRecords([post]).deliveries);
  const [first] = records;
  return changesFromDeliveries(
    records
      .filter(({ key }) => isDeepStrictEqual(key, first?.key))
      .map(({ delivery }, second) => deliveryAt(delivery.facts, `2026-11-20T06:00:0${second}.000Z`)),
    first?.key,
  );
};

/** Holds of each change: its events tell of nobody, are as declared, and are the same events as ever. */
const expectNothingPersonal = (changes: readonly RowChange[]) => {
  for (const event of changes.flatMap((change) => eventsOf(change))) {
    const { type, key, detail } = projectWithoutPersonal(event);
    const { error } = schemas[type].safeParse(JSON.parse(JSON.stringify(detail)));

    expect(JSON.stringify({ type, detail })).not.toMatch(sentinel);
    expect(error).toBeUndefined();
    expect({ type, key, id: detail.id }).toEqual({ type: event.type, key: event.key, id: event.detail.id });
    expect(detail['changedFields']).toEqual(event.detail['changedFields']);
  }
};

/** Whether the events of changes tell of somebody where personal data is kept. */
const tellsOfSomebody = (changes: readonly RowChange[]) =>
  sentinel.test(JSON.stringify(changes.flatMap(eventsOf).map(projectAll)));

describe('an event without personal data', () => {
  it.each([
    ['a call', callPosts],
    ['a participant', participantPosts],
    ['a call, where lists and objects stand in place of texts', nestedCalls],
    ['a participant, where lists and objects stand in place of texts', nestedParticipants],
  ])('identifies nobody, whatever is posted about %s', (_kind, arbitrary) => {
    let tried = 0;
    let told = 0;
    holds(
      fc.property(arbitrary, (said) => {
        tried += 1;
        const changes = changesFrom(said);
        expectNothingPersonal(changes);
        expectNothingPersonal(changes.map((change) => ({ ...change, before: undefined })));
        // What is left out was there: the row has it, and so has the event where it is kept.
        if (tellsOfSomebody(changes)) told += 1;
      }),
      60,
    );

    expect(told).toBeGreaterThan(tried * 0.8);
  });

  it('identifies nobody, whatever a poll answers about agents', async () => {
    const AgentState = fc.oneof(fc.constant('READY'), personalValue);
    const record = fc.record(
      { AgentName: personalValue, PhoneNumber: personalValue, AgentState },
      { requiredKeys: ['AgentState'] },
    );
    let tried = 0;
    let told = 0;
    await holdsAsync(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), async (seen) => {
        tried += 1;
        const shown = seen.map((person) => success([{ AgentId: 'a1', SkillName: 'Sales', ...person }]));
        const d = await deployment({ service: { logins: [...shown, success([])] } });
        await d.polls(shown.length + 1);
        expectNothingPersonal(d.changes());
        if (tellsOfSomebody(d.changes())) told += 1;
      }),
      50,
    );

    expect(told).toBeGreaterThan(tried * 0.8);
  });

  it('names a changed field that it does not have', () => {
    const plain = { monitorUCID: '1', Status: 'Answered', EndTime: '2026-11-20 11:00:00' };
    const [, revised] = changesFrom([plain, { ...plain, Comments: 'Sentinel', CallerID: 'Sentinel' }])
      .flatMap(eventsOf)
      .map(projectWithoutPersonal);

    expect(revised?.detail).toMatchObject({ revision: 2, changedFields: ['comments', 'customerNumber'] });
    expect(revised?.detail['call']).not.toHaveProperty('comments');
  });

  it('names in shortenedFields only fields that it has', () => {
    const long = 'Sentinel '.repeat(40_000);
    const plain = { monitorUCID: '1', Status: 'Answered', EndTime: '2026-11-20 11:00:00', UUI: long };
    const [whole, cut] = [plain, { ...plain, CampaignName: 'x'.repeat(300_000) }].map((post) =>
      changesFrom([post]).flatMap(eventsOf).map(projectWithoutPersonal).at(0),
    );

    expect(whole?.detail).not.toHaveProperty('shortenedFields');
    expect(cut?.detail).toMatchObject({ shortenedFields: ['campaignName'] });
    expect(Buffer.byteLength(JSON.stringify(cut?.detail))).toBeLessThanOrEqual(maxDetailBytes);
  });

  it('has no attribute of a newer version, because nobody knows what it holds', () => {
    const [change] = changesFrom([{ monitorUCID: '1', Status: 'Answered' }]);
    const [event] = change ? eventsOf({ ...change, after: { ...change.after, addedLater: 'Sentinel' } }) : [];

    expect(event && JSON.stringify(projectAll(event))).toMatch(sentinel);
    expect(event && JSON.stringify(projectWithoutPersonal(event))).not.toMatch(sentinel);
  });

  it('has every other value unchanged', async () => {
    const [whole] = await everyEvent('keep');
    const [left] = await everyEvent('leave-out');
    const personal = [
      ...['customerNumber', 'customerNumberE164', 'dialledNumber', 'dialledNumberE164'],
      ...['agentPhoneNumber', 'agentPhoneNumberE164', 'agentNames', 'phoneName', 'comments', 'recordings'],
    ];
    const call = Object(whole?.detail['call']);
    const rest = Object.fromEntries(Object.entries(call).filter(([name]) => !personal.includes(name)));

    expect(left).toEqual({ ...whole, detail: { ...whole?.detail, call: rest } });
    expect(Object.keys(call)).toEqual(expect.arrayContaining(personal));
  });
});
