import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentLoginsInput, CallSummaryInput } from '../../../docs/contract/inputs.ts';
import { parseAgentLogins } from '../../../lib/agents/get-agent-logins.ts';
import { withDerived } from '../../../lib/calls/call-record.ts';
import { AgentStateChanged } from '../../../lib/contract/agent-events.ts';
import { CallSummary } from '../../../lib/contract/call-events.ts';
import { objectWithoutPersonal } from '../../../lib/contract/events.ts';
import {
  abandonedCalls,
  type CallEnd,
  freeAgents,
  isAbandoned,
  isFree,
  isMissed,
  isShortAbandoned,
  lastedSecondsOf,
  missedCalls,
  outcomeText,
  shortAbandonedCalls,
} from '../../../lib/contract/rules.ts';
import { listedInCalls } from '../../../lib/storage/tables.ts';
import { wireCallFields } from '../../../lib/telephony/call-fields.ts';
import { matches } from '../../docs/contract/support/event-bridge.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { holds } from '../../support/arbitraries.ts';
import { normalisedRecords } from '../../support/posted-records.ts';
import { codeOf, sourceFiles } from '../../support/repository-files.ts';

const { status, type, hangupBy } = CallSummary.shape;
const wordsOf = (schema: typeof status | typeof type | typeof hangupBy) => [undefined, ...schema.def.innerType.options];

const start = '2026-11-20T05:30:00.000Z';
const ends = ['05:29:55.000', '05:30:00.000', '05:30:09.999', '05:30:10.000', '06:00:00.000'].map(
  (time) => `2026-11-20T${time}Z`,
);
const times = [{}, { startedAt: start }, { endedAt: start }, ...ends.map((endedAt) => ({ startedAt: start, endedAt }))];

/** A call with every combination of words and times, as an event has it: absent fields are no fields. */
const everyCall = wordsOf(status).flatMap((status) =>
  wordsOf(type).flatMap((type) =>
    wordsOf(hangupBy).flatMap((hangupBy) =>
      times.map((time): CallEnd => JSON.parse(JSON.stringify(withDerived({ status, type, hangupBy, ...time })))),
    ),
  ),
);

const pagePattern = /--event-pattern '(.*)'/.exec(readFileSync('docs/contract.md', 'utf8'))?.[1] ?? '';
const short = (call: CallEnd) => isShortAbandoned(call, 10);

it.each([
  ['as the service sends it', { callDurationSeconds: 41, startedAt: start, endedAt: '2026-11-20T05:30:40.000Z' }, 41],
  ['else from start to end', { startedAt: start, endedAt: '2026-11-20T05:30:40.000Z' }, 40],
  ['if one of them is not known, for a time that is not known', { startedAt: start }, undefined],
  [
    'if the end lies before the start, for one too',
    { startedAt: start, endedAt: '2026-11-20T05:29:40.000Z' },
    undefined,
  ],
])('a call lasted %s', (_title, call, seconds) => {
  expect(lastedSecondsOf(call)).toBe(seconds);
});

describe('a rule for calls', () => {
  it.each<[string, object, (call: CallEnd) => boolean, number]>([
    ['missedCalls', missedCalls, isMissed, 2 * 5 * 8],
    ['the rule that the contract’s page makes', JSON.parse(pagePattern).detail.call, isMissed, 2 * 5 * 8],
    ['abandonedCalls', abandonedCalls, isAbandoned, 2 * 8],
    ['shortAbandonedCalls', shortAbandonedCalls(10), short, 2 * 2],
  ])('selects on the bus what its function holds of, for every combination of words and times: %s', (...row) => {
    const [, pattern, holds, selected] = row;
    const found = everyCall.filter(holds);

    expect(everyCall.filter((call) => matches(pattern as never, call))).toEqual(found);
    expect(found).toHaveLength(selected);
  });

  it.each<[string, CallEnd, readonly boolean[]]>([
    ['an inbound call that nobody answered', { status: 'not-answered', type: 'inbound' }, [true, false, false]],
    ['one without a type', { status: 'not-answered' }, [true, false, false]],
    ['one that the service ended', { status: 'not-answered', hangupBy: 'system' }, [true, false, false]],
    ['one that the customer ended', { status: 'not-answered', hangupBy: 'user' }, [true, true, false]],
    [
      'one that ended at once',
      { status: 'not-answered', hangupBy: 'user', startedAt: start, endedAt: start },
      [true, true, true],
    ],
    ['an outgoing unanswered', { status: 'not-answered', type: 'predictive', hangupBy: 'user' }, [false, false, false]],
    ['an unknown status', { status: 'unknown', type: 'inbound', hangupBy: 'user' }, [false, false, false]],
    ['an unknown type', { status: 'not-answered', type: 'unknown', hangupBy: 'user' }, [false, false, false]],
    ['nothing', {}, [false, false, false]],
  ])('decides: %s', (_title, call, expected) => {
    expect([isMissed(call), isAbandoned(call), short(call)]).toEqual(expected);
  });

  it.each([
    [{ status: 'not-answered', type: 'inbound' }, 'missed'],
    [{ status: 'not-answered', type: 'manual' }, 'not answered'],
    [{ status: 'answered', type: 'inbound' }, 'answered'],
    [{ type: 'inbound' }, undefined],
  ])('is shown for %j as %s', (call, text) => {
    expect(outcomeText(call)).toBe(text);
  });

  it('reads only what events without personal fields have, and what lists have', () => {
    const public_ = objectWithoutPersonal(CallSummary).shape;
    const { elapsedSeconds, ...words } = shortAbandonedCalls(10);

    expect(Object.keys({ ...words, elapsedSeconds, startedAt: 0, endedAt: 0 }).filter((f) => !(f in public_))).toEqual(
      [],
    );
    expect(Object.keys({ ...words, startedAt: 0, endedAt: 0 }).filter((field) => !(field in listedInCalls))).toEqual(
      [],
    );
  });

  it('is not written out again in an example or a construct', () => {
    const written = sourceFiles('docs/examples', 'cdk').filter(({ text }) => /['"]not-answered/.test(codeOf(text)));

    expect(written.map(({ file }) => file)).toEqual([]);
  });
});

describe('the rule for free agents', () => {
  const states = AgentStateChanged.shape.current.shape.state.options;

  it('selects on the bus what its function holds of, for every state: ready alone', () => {
    expect(states.filter((state) => matches(freeAgents, { state }))).toEqual(['ready']);
    expect(states.filter((state) => isFree({ state }))).toEqual(['ready']);
    expect(states).toContain('idle');
  });
});

describe('the input schema of a call summary', () => {
  it('has what the reader accepts: no field of a summary that fits is noted as an object', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
    const summary = fc
      .dictionary(fc.constantFrom(...wireCallFields), value)
      .filter(({ Apikey }) => Apikey === undefined);
    holds(
      fc.property(summary, (fields) => {
        const posted = { ...fields, monitorUCID: '1', Status: 'Answered' };
        const { deliveries, unrecognised } = normalisedRecords([posted]);

        expect(CallSummaryInput.safeParse(posted).success).toBe(true);
        expect([deliveries.length, unrecognised]).toEqual([1, []]);
        expect(JSON.stringify(deliveries)).not.toContain('not-a-scalar');
      }),
    );
  });
});

describe('the input schema of agent logins', () => {
  const [asha] = specificationLogins;
  const skills = { ...asha, SkillName: ['Sales', 'Support'] };

  it.each<[string, unknown, boolean]>([
    ['a list', { status: 'success', message: specificationLogins }, true],
    ['a list without a status', { message: specificationLogins }, true],
    ['an empty list', { status: 'success', message: [] }, true],
    ['one agent', { status: 'success', message: asha }, true],
    ['an object that holds the list', { status: 'success', message: { agents: specificationLogins } }, true],
    ['rows in details', { status: 'success', message: 'success', details: specificationLogins, totalCount: 3 }, true],
    ['nobody as an error', { status: 'error', message: 'No Data Found' }, true],
    ['a list of skills', { status: 'success', message: [skills] }, true],
    ['an agent with a number as name and another field', { message: [{ ...asha, AgentName: 7, Mode: 'x' }] }, true],
    ['a bare list', specificationLogins, false],
    ['a text', 'success', false],
    ['a message that is null', { status: 'success', message: null }, false],
    ['details that are text', { status: 'success', message: 'success', details: 'x' }, false],
  ])('accepts or rejects %s, as the parser does', (_title, answer, isAccepted) => {
    const { success, data } = AgentLoginsInput.safeParse(answer);

    expect([success, data]).toEqual([isAccepted, isAccepted ? answer : undefined]);
    expect(parseAgentLogins({ status: 200, text: JSON.stringify(answer) }).ok).toBe(isAccepted);
  });
});
