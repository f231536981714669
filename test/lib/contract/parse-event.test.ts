import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { type EventType, eventSchemas } from '../../../lib/contract/events.ts';
import { type CallfeedEvent, type EventOf, NotACallfeedEvent, parseEvent } from '../../../lib/contract/index.ts';
import { personalFields } from '../../../lib/storage/rows.ts';
import { delivered } from '../../docs/contract/support/event-bridge.ts';
import { everyEvent } from '../../support/every-event.ts';

type Plain = Record<string, unknown>;

let events: readonly Plain[];

beforeAll(async () => {
  events = (await everyEvent('keep')).map(delivered);
});

/** An event of a type as it may be changed. */
const anEvent = (type: EventType): Plain & { detail: Plain } => {
  const found = events.find((event) => event['detail-type'] === type);
  if (found === undefined) throw new Error(`No ${type}`);
  return JSON.parse(JSON.stringify(found));
};

/** What is said of something that is no event of ours. */
const complaint = (event: unknown): NotACallfeedEvent => {
  try {
    parseEvent(event);
  } catch (error) {
    if (error instanceof NotACallfeedEvent) return error;
    throw error;
  }
  throw new Error('It was taken for an event');
};

describe.each(personalFields)('parseEvent, in a deployment with personal data: %s', (personal) => {
  it('accepts every published event, at least one of each type, unchanged', async () => {
    const published = (await everyEvent(personal)).map(delivered);

    expect(new Set(published.map((event) => event['detail-type']))).toEqual(new Set(Object.keys(eventSchemas)));
    for (const event of published) expect(parseEvent(event)).toBe(event);
  });
});

describe('parseEvent, for a later version', () => {
  it.each<[string, EventType, (event: Plain & { detail: Plain }) => void]>([
    ['beside the envelope', 'Agent Logged In', (event) => Object.assign(event, { 'replay-name': 'yesterday' })],
    ['in the detail', 'Agent Logged Out', ({ detail }) => Object.assign(detail, { addedLater: 1 })],
    ['in the call', 'Call Summary Recorded', ({ detail }) => Object.assign(detail['call'] as Plain, { addedLater: 1 })],
    [
      'in a note of the call',
      'Call Summary Revised',
      ({ detail }) => {
        const note = { field: 'startedAt', reason: 'unparsable-time', addedLater: { deep: true } };
        Object.assign(detail['call'] as Plain, { notes: [note] });
      },
    ],
  ])('accepts a field that was added %s, and keeps it', (_where, type, add) => {
    const event = anEvent(type);
    add(event);
    const before = JSON.stringify(event);

    expect(before).toMatch(/addedLater|replay-name/);
    expect(JSON.stringify(parseEvent(event))).toBe(before);
  });
});

describe('parseEvent, for anything else', () => {
  const changed = (part: (event: Plain & { detail: Plain }) => unknown, fields: Plain) => () => {
    const whole = anEvent('Call Summary Recorded');
    Object.assign(part(whole) as Plain, fields);
    return whole;
  };
  const event = (fields: Plain) => changed((whole) => whole, fields);
  const detail = (fields: Plain) => changed((whole) => whole.detail, fields);
  const call = (fields: Plain) => changed((whole) => whole.detail['call'], fields);

  it.each<[string, () => unknown, string, RegExp]>([
    ['nothing', () => undefined, '', /^Expected an event from EventBridge/],
    ['text', () => '{"source":"callfeed"}', '', /parsed/],
    ['a list', () => [anEvent('Agent Logged In')], '', /^Expected an event/],
    ['a message', () => ({ body: JSON.stringify(anEvent('Agent Logged In')) }), 'source', /^Expected "callfeed"$/],
    ['another source', event({ source: 'aws.s3' }), 'source', /^Expected "callfeed"$/],
    ['no type', event({ 'detail-type': undefined }), 'detail-type', /^Expected one of "Call Summary Recorded", /],
    ['a type that is none', event({ 'detail-type': 'Call' }), 'detail-type', /"Agent Feed Restored"$/],
    ['a type named as a property is', event({ 'detail-type': 'constructor' }), 'detail-type', /^Expected one of/],
    ['a type in a list', event({ 'detail-type': ['Agent Logged In'] }), 'detail-type', /^Expected one of/],
    ['another version', detail({ schemaVersion: 2, call: 1 }), 'detail.schemaVersion', /^Expected 1, /],
    ['no version', detail({ schemaVersion: undefined }), 'detail.schemaVersion', /expected 1/],
    ['no detail', event({ detail: undefined }), 'detail', /expected object/],
    ['no id', detail({ id: undefined }), 'detail.id', /expected string/],
    ['an id as a number', detail({ callId: 41_781 }), 'detail.callId', /expected string/],
    ['a word that is none', call({ status: 'maybe' }), 'detail.call.status', /"answered"\|"not-answered"\|"unknown"$/],
    ['seconds as text', call({ callDurationSeconds: '250' }), 'detail.call.callDurationSeconds', /expected number/],
    ['an empty list', call({ recordings: [] }), 'detail.call.recordings', /Too small/],
    ['a note without a reason', call({ notes: [{ field: 'x' }] }), 'detail.call.notes.0.reason', /expected one of/],
    ['a list with something else in it', call({ agentIds: ['asha', 7] }), 'detail.call.agentIds.1', /expected string/],
    ['a time without milliseconds', call({ startedAt: '2026-11-20T05:30:00Z' }), 'detail.call.startedAt', /datetime/],
    ['a number under a sender’s name', call({ extra: { 'Asha Rao': 7 } }), 'detail.call.extra.*', /expected string/],
  ])('names what is wrong, and where: %s', (_title, given, at, problem) => {
    const { problems } = complaint(given());

    expect(problems).toEqual([{ at, problem: expect.stringMatching(problem) }]);
  });

  it('names every problem, in its message too', () => {
    const error = complaint(call({ status: 'maybe', callDurationSeconds: -1 })());

    expect(error.name).toBe('NotACallfeedEvent');
    expect(error.problems.map(({ at }) => at)).toEqual(['detail.call.status', 'detail.call.callDurationSeconds']);
    expect(error.message).toMatch(/^detail\.call\.status: .*; detail\.call\.callDurationSeconds: /);
  });

  it('names no value of the event', () => {
    const sentinel = 'SENTINEL Asha Rao 09000000042';
    const wrong = (value: unknown): unknown =>
      value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrong(inner)]))
        : sentinel;
    for (const event of events) {
      const { detail } = event;
      const spoilt = { ...event, detail: { ...(wrong(detail) as Plain), schemaVersion: 1, [sentinel]: 1 } };
      const error = complaint(spoilt);

      expect(error.problems.length).toBeGreaterThan(2);
      expect([error.message, JSON.stringify(error.problems)].join()).not.toMatch(/SENTINEL|Asha|0900/);
    }
  });
});

describe('the type of an event', () => {
  it('follows from its detail-type, with the fields of that type and no other', () => {
    const event: CallfeedEvent = parseEvent(anEvent('Call Summary Recorded'));

    expect.assertions(1);
    if (event['detail-type'] !== 'Call Summary Recorded') return;
    expect(event.detail.call.status).toBe('answered');
    expectTypeOf(event).toEqualTypeOf<EventOf<'Call Summary Recorded'>>();
    expectTypeOf(event.detail.call.status).toEqualTypeOf<'answered' | 'not-answered' | 'unknown' | undefined>();
    // @ts-expect-error a field that is none
    expectTypeOf(event.detail.call.stauts);
    // @ts-expect-error a field of another event
    expectTypeOf(event.detail.changedFields);
  });

  it('has the common fields before its type is known', () => {
    expectTypeOf<CallfeedEvent['detail-type']>().toEqualTypeOf<EventType>();
    expectTypeOf<CallfeedEvent['detail']['id']>().toEqualTypeOf<string>();
    expectTypeOf<CallfeedEvent['detail']>().not.toHaveProperty('call');
  });
});
