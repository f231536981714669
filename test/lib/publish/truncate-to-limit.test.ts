import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CallSummaryRecorded } from '../../../lib/contract/call-events.ts';
import { maxDetailBytes, projectEvent, truncateToLimit } from '../../../lib/publish/project-event.ts';
import { fieldRows } from '../../fixtures/call-fields.ts';
import { callEventOf, newCall } from '../../support/posted-records.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const projectWithPersonal = projectEvent('keep');

/** The detail of a call's event, as far as the contract has it: what is not as declared makes this throw. */
const detailOf = (call: object) => {
  const event = callEventOf(newCall(1, { status: 'answered', timeZone: 'UTC', ...call }));
  if (event === undefined) throw new Error('The call made no event');
  return CallSummaryRecorded.parse(projectWithPersonal(event).detail);
};

const listFields = [
  'agentIds',
  'agentNames',
  'comments',
  'dispositions',
  'fallbackSteps',
  'transferredTo',
  'recordings',
];
const manyOf = (text: string, count: number) =>
  Object.fromEntries(listFields.map((name) => [name, Array.from({ length: count }, (_, index) => text + index)]));

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
  it.each(tooLarge)('makes %s fit', (_title, call) => {
    expect(bytesOf(detailOf(call))).toBeLessThanOrEqual(maxDetailBytes);
  });

  it.each(tooLarge)('keeps the contract with %s', (_title, call) => {
    expect(() => detailOf(call)).not.toThrow();
  });

  it.each(tooLarge)('names the truncated fields of %s', (_title, call) => {
    const detail = detailOf(call);
    const kept = new Map<string, unknown>(Object.entries(detail.call));
    const sent = Object.entries({ status: 'answered', timeZone: 'UTC', ...call });
    const different = sent.filter(([field, value]) => !isDeepStrictEqual(kept.get(field), value));

    expect(detail.shortenedFields).toEqual(different.map(([field]) => field).sort());
  });

  it.each(tooLarge)('cuts no character of %s in two', (_title, call) => {
    expect(JSON.stringify(detailOf(call))).not.toMatch(/\\ud[89a-f]/i);
  });

  it('truncates the largest values first, and no more of them than needed', () => {
    expect(detailOf({ uui: 'x'.repeat(150_000), skillName: 'y'.repeat(150_001) })).toMatchObject({
      shortenedFields: ['skillName'],
      call: { uui: 'x'.repeat(150_000), skillName: 'y'.repeat(1_000) },
    });
  });

  it('keeps the beginning of a truncated list', () => {
    const comments = Array.from({ length: 60_000 }, (_, index) => `c${index}`);

    expect(detailOf({ comments }).call.comments).toEqual(comments.slice(0, 20));
  });
});

/** How many bytes a detail with nothing but this text has for it. */
const bytesForUui = maxDetailBytes - bytesOf({ call: { uui: '' } });

describe('truncateToLimit', () => {
  it('keeps numbers, null and booleans, even if everything else is truncated', () => {
    const longLists = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, ['x'.repeat(1_500)]]));
    const detail = truncateToLimit({ call: { ...longLists, seconds: 1_234_567, nothing: null, yes: true } }, 'call');

    expect(detail.call).toMatchObject({ f0: ['x'.repeat(100)], seconds: 1_234_567, nothing: null, yes: true });
  });

  it('truncates a list of numbers', () => {
    expect(truncateToLimit({ call: { list: Array(40_000).fill(1_234_567) } }, 'call').call.list).toEqual(
      Array(20).fill(1_234_567),
    );
  });

  it('makes the event of a participant fit too', () => {
    const detail = { id: '1', recordedAt: '', participant: { exitStatus: 'x'.repeat(300_000) } };
    const event = projectWithPersonal({ type: 'Call Participant Recorded', key: '', detail });

    expect(bytesOf(event.detail)).toBeLessThan(maxDetailBytes);
  });

  it('leaves a detail of exactly the limit as it is', () => {
    const detail = { call: { uui: 'x'.repeat(bytesForUui) } };

    expect(truncateToLimit(detail, 'call')).toBe(detail);
  });

  it('truncates a detail that is one byte longer', () => {
    const detail = { call: { uui: 'x'.repeat(bytesForUui + 1) } };

    expect(truncateToLimit(detail, 'call').call.uui).toBe('x'.repeat(1_000));
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
