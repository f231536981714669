import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { wireAgentFields } from '../../../lib/agents/normalise-agent.ts';
import { AgentFacts } from '../../../lib/agents/schema.ts';
import { CallFacts, ParticipantFacts } from '../../../lib/calls/schema.ts';
import { callEvents } from '../../../lib/contract/call-events.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { notesOf } from '../../../lib/telephony/field-reader.ts';
import { agentFacts } from '../../support/agents.ts';
import { callFacts, normalisedRecords } from '../../support/call-records.ts';

interface Sender {
  readonly facts: z.ZodMiniObject;
  readonly wire: readonly string[];
  readonly factsOf: (posted: object) => object;
  /** Facts that do not come from a single field of the sender. */
  readonly ownFacts: readonly string[];
}

const senders: readonly (readonly [what: string, sender: Sender])[] = [
  ['a call', { facts: CallFacts, wire: wireCallFields, factsOf: callFacts, ownFacts: ['timeZone', 'extra', 'notes'] }],
  [
    'a participant',
    {
      facts: ParticipantFacts,
      wire: wireParticipantFields,
      // Beside its call, as a participant whose own id of the call cannot be used belongs to no other.
      factsOf: (posted) =>
        normalisedRecords([
          { monitorUCID: '1', Status: 'Answered', Type: 'Inbound' },
          { UCID: '1', ExitStatus: 'x', ...posted },
        ]).deliveries[1]?.delivery.facts ?? {},
      ownFacts: ['timeZone', 'extra', 'notes'],
    },
  ],
  ['an agent', { facts: AgentFacts, wire: wireAgentFields, factsOf: agentFacts, ownFacts: ['extra'] }],
];

const originOf = (schema: z.ZodMiniObject, name: string): unknown => {
  const field = schema.shape[name];
  return field && z.globalRegistry.get(field)?.['origin'];
};

/** For each kind of field a value that makes a fact: a time, a duration, a link to another call, an unknown word. */
const values = ['2026-11-20 11:00:00', '10', 'SkillTransfer-77~1001', 'Something new'];

describe.each(senders)('each fact of %s', (_what, { facts, wire, factsOf, ownFacts }) => {
  const names = Object.keys(facts.shape);
  const originals = names.filter((name) => !ownFacts.includes(name));

  it('comes from a field of the sender, except for a few of our own', () => {
    for (const name of originals) expect(wire, name).toContain(originOf(facts, name));
    for (const name of ownFacts) expect(originOf(facts, name), name).toBeUndefined();
  });

  it.each(originals)('exists if its field has a value: %s', (name) => {
    const field = String(originOf(facts, name));

    expect(values.flatMap((value) => Object.keys(factsOf({ [field]: value })))).toContain(name);
  });
});

describe.each(senders.filter(([, { facts }]) => 'notes' in facts.shape))(
  'a note on %s',
  (_what, { facts, factsOf }) => {
    it('names a fact that comes from the field in question', () => {
      const names = Object.keys(facts.shape);
      for (const field of new Set(
        names.map((name) => originOf(facts, name)).filter((origin) => origin !== undefined),
      )) {
        const itsFacts = names.filter((name) => originOf(facts, name) === field);
        const noted = [...values, 'x'.repeat(600), ['a']].flatMap((value) =>
          notesOf(factsOf({ [String(field)]: value })),
        );

        expect(noted, `${field}: a list in its place`).toContainEqual(
          expect.objectContaining({ reason: 'not-a-scalar' }),
        );
        for (const note of noted) expect([...itsFacts, 'callId'], String(field)).toContain(note.field);
      }
    });
  },
);

describe('each id in an event of a call', () => {
  const fields: readonly string[] = wireCallFields;

  it.each(Object.entries(callEvents))('comes from a field of the sender: %s', (_type, event) => {
    expect(fields).toContain(originOf(event, 'callId'));
    if ('leg' in event.shape) expect(fields).toContain(originOf(event, 'leg'));
  });
});
