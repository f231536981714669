import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CallSummary, Participant } from '../../../lib/contract/call-events.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { callOf, jsonOf, seeds } from '../../sandbox/simulator/support/calls.ts';
import { faultsBy, packagedSchema } from './support/event-bridge.ts';

it('docs/incoming.md shows values as they are read', () => {
  const page = readFileSync('docs/incoming.md', 'utf8');

  expect(page).toContain('| `asha`: `["asha"]`<br>`asha -> ravi`: `["asha","ravi"]`<br>');
  expect(page).toContain('`2026-11-20 11:00:00`: `"2026-11-20T05:30:00.000Z"`');
  expect(page).toContain('`QTimeExceeded{60}`: `["queue-time-exceeded"]`, as sent `["QTimeExceeded{60}"]`');
});

describe('the JSON Schemas of what is accepted', () => {
  it.each<[string, object]>([
    ['call-summary', { callId: '', ...CallSummary.shape }],
    ['participant', Participant.shape],
  ])('name a field of the contract for whatever %s has', (name, fields) => {
    const stated = Object.values<{ readonly becomes: readonly string[] }>(
      Object(packagedSchema(`inputs/${name}`).properties),
    );
    const becomes = stated.flatMap((field) => field.becomes);

    expect(becomes.length).toBeGreaterThan(10);
    expect(becomes.filter((field) => !Object.hasOwn(fields, field))).toEqual([]);
  });

  it('accept the samples of the specification', () => {
    expect(faultsBy('inputs/call-summary', specificationSummary)).toEqual([]);
    expect(faultsBy('inputs/participant', specificationParticipant)).toEqual([]);
    expect(faultsBy('inputs/agent-logins', { status: 'success', message: specificationLogins })).toEqual([]);
  });

  it('reject an object in place of a value', () => {
    expect(faultsBy('inputs/call-summary', { Status: {} })).not.toEqual([]);
    expect(faultsBy('inputs/participant', { UCID: [] })).not.toEqual([]);
    expect(faultsBy('inputs/agent-logins', { message: [{ AgentId: {} }] })).not.toEqual([]);
  });

  it('accept every call summary and participant of the simulator, with all its quirks', () => {
    const posts = seeds.flatMap((seed) => callOf(seed).posts).filter(({ callId }) => callId !== undefined);
    const records = posts.flatMap((post) => JSON.parse(jsonOf(post)));

    expect(records.length).toBeGreaterThan(100);
    for (const record of records) {
      const schema = JSON.stringify(record).includes('"ParticipantNumber"') ? 'participant' : 'call-summary';
      expect(faultsBy(`inputs/${schema}`, record), JSON.stringify(record)).toEqual([]);
    }
  });
});
