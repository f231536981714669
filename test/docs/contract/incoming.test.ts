import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wireAgentFields } from '../../../lib/agents/normalise-agent.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { callOf, jsonOf, seeds } from '../../sandbox/simulator/support/calls.ts';
import { faultsBy } from './support/event-bridge.ts';

const page = readFileSync('docs/incoming.md', 'utf8');
const contract = readFileSync('docs/events.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

const sectionOf = (title: string): string => page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';

describe('the page of accepted fields', () => {
  it.each<[string, readonly string[]]>([
    ['Call summary', wireCallFields],
    ['Participant', wireParticipantFields],
    ['Agent', wireAgentFields],
  ])('has a row for every field: %s', (title, fields) => {
    const named = [...sectionOf(title).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

    expect(named).toEqual(fields);
  });

  it('has the kind and the meaning of every field', () => {
    const fields = rows.filter((row) => /^\| `\w+` \|/.test(row)).map((row) => row.slice(2, -2).split(' | '));

    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter(([, kind, , , meaning]) => !kind?.trim() || !meaning?.endsWith('.'))).toEqual([]);
    expect(page).not.toMatch(/\{\{|\[object|undefined \|/);
  });

  it('names only fields of the contract', () => {
    const becomes = rows.flatMap((row) =>
      [...(row.split(' | ')[3] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );

    expect(becomes.length).toBeGreaterThan(50);
    expect(becomes.filter((name) => !contract.includes(`| \`${name}\``))).toEqual([]);
  });

  it('shows values as they are read', () => {
    expect(page).toContain('| `asha`: `["asha"]`<br>`asha -> ravi`: `["asha","ravi"]`<br>');
    expect(page).toContain('`2026-11-20 11:00:00`: `"2026-11-20T05:30:00.000Z"`');
    expect(page).toContain('`QTimeExceeded{60}`: `["queue-time-exceeded"]`, as sent `["QTimeExceeded{60}"]`');
  });
});

describe('the JSON Schemas of what is accepted', () => {
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
