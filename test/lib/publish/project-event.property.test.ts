import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { CallFacts, ParticipantFacts } from '../../../lib/calls/schema.ts';
import { eventSchemasFor } from '../../../lib/contract/events.ts';
import { eventsOf, type RowChange } from '../../../lib/publish/events-of-change.ts';
import { maxDetailBytes, projectEvent } from '../../../lib/publish/project-event.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { deployment, success } from '../../deployment/index.ts';
import { holds, holdsAsync } from '../../support/arbitraries.ts';
import { everyEvent } from '../../support/every-event.ts';
import { changesFromDeliveries, deliveryAt, normalisedRecords } from '../../support/posted-records.ts';

const projectAll = projectEvent('keep');
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
  ...{ monitorUCID: '41781234567890123', UserName: undefined, Apikey: undefined, EndTime: '2026-11-20 11:00:00' },
});
const nestedParticipants = nestedPosts([...wireParticipantFields, 'SomethingNew', 'Sentinel key'], {
  ...{ UCID: '41781234567890123', ExitStatus: 'x', ParticipantNumber: '7', StartTime: '', AgentName: '' },
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
        if (sentinel.test(JSON.stringify(changes.flatMap((change) => eventsOf(change)).map(projectAll)))) told += 1;
      }),
      60,
    );

    expect(told).toBeGreaterThan(tried * 0.8);
  });

  it('identifies nobody, whatever a poll answers about agents', async () => {
    const record = fc.record(
      {
        AgentName: personalValue,
        PhoneNumber: personalValue,
        AgentState: fc.oneof(fc.constant('READY'), personalValue),
      },
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
        if (
          sentinel.test(
            JSON.stringify(
              d
                .changes()
                .flatMap((change) => eventsOf(change))
                .map(projectAll),
            ),
          )
        )
          told += 1;
      }),
      50,
    );

    expect(told).toBeGreaterThan(tried * 0.8);
  });

  it('names a changed field that it does not have', () => {
    const plain = { monitorUCID: '1', Status: 'Answered', EndTime: '2026-11-20 11:00:00' };
    const [, revised] = changesFrom([plain, { ...plain, Comments: 'Sentinel', CallerID: 'Sentinel' }])
      .flatMap((change) => eventsOf(change))
      .map(projectWithoutPersonal);

    expect(revised?.detail).toMatchObject({ revision: 2, changedFields: ['comments', 'customerNumber'] });
    expect(revised?.detail['call']).not.toHaveProperty('comments');
  });

  it('names in shortenedFields only fields that it has', () => {
    const long = 'Sentinel '.repeat(40_000);
    const plain = { monitorUCID: '1', Status: 'Answered', EndTime: '2026-11-20 11:00:00', UUI: long };
    const [whole, cut] = [plain, { ...plain, CampaignName: 'x'.repeat(300_000) }].map((post) =>
      changesFrom([post])
        .flatMap((change) => eventsOf(change))
        .map(projectWithoutPersonal)
        .at(0),
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
    const { customerNumber, dialledNumber, agentNames, agentPhoneNumber, comments, recordings, phoneName, ...rest } =
      Object(whole?.detail['call']);

    expect(left).toEqual({ ...whole, detail: { ...whole?.detail, call: rest } });
    expect([
      customerNumber,
      dialledNumber,
      agentNames,
      agentPhoneNumber,
      comments,
      recordings,
      phoneName,
    ]).not.toContain(undefined);
  });
});
