import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redriveQuarantined } from '../../cli/quarantine/redrive-quarantined.ts';
import { renormaliseRow } from '../../cli/renormalise/renormalise-row.ts';
import { type CallfeedClient, createCallfeedClient } from '../../client/index.ts';
import { writeInBatches } from '../../functions/adapters/dynamo-agent-table.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { QuarantineEntry } from '../../lib/callback/schema.ts';
import { parseEvent } from '../../lib/contract/index.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { eventsOf } from '../../lib/publish/events-of-change.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { demoAccount } from '../../sandbox/aws/sandbox-options.ts';
import { collected } from '../client/support/clients.ts';
import { deployment, loggedIn } from '../deployment/index.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { type Row, releases, writtenBy } from './releases.ts';

/** An agent as the service sends it. */
const asSent = ({ stateAsSent, name, phoneNumber, skills }: Row): object => ({
  AgentState: stateAsSent,
  AgentName: name,
  PhoneNumber: phoneNumber,
  SkillName: (skills as readonly string[] | undefined)?.join(','),
});

/** A stored record as it was posted. In a list, only summaries have a key. */
const withKey = (text: string): string =>
  text.includes('"***"') ? text.replace('"***"', '"demo-key"') : text.replace('{', '{"Apikey":"demo-key",');

describe.each(releases)('what %s wrote', (release) => {
  const { rows, messages, events } = writtenBy(release);
  const ofKind = (kind: string) => [...rows.calls, ...rows.agents].filter((row) => row['kind'] === kind);
  let tables: TestTables;
  let client: CallfeedClient;
  beforeAll(async () => {
    tables = await startTestTables();
    for (const table of ['calls', 'agents'] as const)
      await writeInBatches(
        { client: tables.client, tableName: tables.tableNames[table], deadlineMs: 60_000 },
        rows[table].map((row) => ({ PutRequest: { Item: marshalled(row) } })),
      );
    // An hour after the last snapshot: they are shown for some days only.
    const floors = ofKind('floor').map((row) => Date.parse(String(row['at'])));
    const clock = () => new Date(Math.max(...floors) + 3_600_000);
    client = createCallfeedClient({ dynamodb: tables.client, tables: tables.tableNames, account: 'demo', clock });
  });
  afterAll(() => tables.stop());

  it('has rows of every kind', () => {
    const kinds = [
      ...['call', 'participant', 'agent-entry', 'agent', 'interval', 'floor', 'feed', 'feed-change'],
      ...['callbacks', 'token', 'reconciliation'],
    ];
    for (const kind of kinds) expect([kind, ofKind(kind).length > 0]).toEqual([kind, true]);
  });

  it('is read by the client: calls, participants and deliveries', async () => {
    const listed = await collected(client.calls({ from: '2000-01-01T00:00:00Z' }));
    expect(listed.map(({ callId }) => callId).sort()).toEqual(
      ofKind('call')
        .map((row) => row['callId'])
        .sort(),
    );

    for (const { callId } of listed) {
      const { call, participants = [] } = (await client.call(callId)) ?? {};
      const stored = ofKind('call').find((row) => row['callId'] === callId);
      for (const [name, value] of Object.entries(call ?? {})) expect([name, value]).toEqual([name, stored?.[name]]);
      expect(participants).toHaveLength(ofKind('participant').filter((row) => row['callId'] === callId).length);
    }
  });

  it('is read by the client: agents, their days, and the floor of a moment', async () => {
    const floor = await client.floor();
    const known = floor.freshness === 'stale' ? floor.lastKnownAgents : [];
    expect(known.map(({ agentId }) => agentId).sort()).toEqual(
      ofKind('agent')
        .map((row) => row['agentId'])
        .sort(),
    );

    for (const { at, agents } of ofKind('floor') as never as { at: string; agents: object[] }[])
      expect(await client.floorAt(at)).toMatchObject({
        agents: expect.toSatisfy(({ length }) => length === agents.length),
      });
    const agentId = ofKind('interval')[0]?.['agentId'];
    const { intervals } = await client.agentDay(String(agentId), '2026-11-21', 'Asia/Kolkata');
    expect(intervals).not.toHaveLength(0);
    expect(await client.feedChanges()).toHaveLength(ofKind('feed-change').length);
  });

  it('is derived again from what was sent without a change, but for sums and E.164 forms that were not made then', async () => {
    for (const row of ofKind('call')) {
      const { changedFields } = await renormaliseRow({ isDryRun: true, clock: () => new Date() } as never)(
        row,
        demoAccount as never,
        AbortSignal.timeout(60_000),
      );
      const hasSums = 'TotalHandlingTime' in Object(row['extra']);
      const missing = ['handleSeconds', 'wrapUpSeconds'].filter((field) => !(field in row));
      // Of legs the forms of their numbers are new too.
      const isForm = (field: string) => field.replace(/E164$/, '') in row && /^legs$|E164$/.test(field);
      expect([row['callId'], changedFields.filter((field) => !isForm(field))]).toEqual([
        row['callId'],
        hasSums ? missing : [],
      ]);
      if (row['customerNumber'] === '09000000042') expect(changedFields).toContain('customerNumberE164');
    }
  });

  it('is published under the same ids as then, so that no subscriber is told twice', () => {
    const first = [...ofKind('call'), ...ofKind('participant')].filter(({ revision }) => revision === 1);
    const idOf = ({ callId, participantId, revision }: Row) => JSON.stringify([callId, participantId, revision]);
    const then = new Map(events.map(({ detail }) => [idOf(detail), detail['id']]));
    const now = first.flatMap((after) => eventsOf({ sequence: '1', before: undefined, after }));
    const known = now.filter(({ detail }) => then.has(idOf(detail)));

    expect(known.length).toBeGreaterThan(5);
    for (const { detail } of known)
      expect([idOf(detail), detail['id']]).toEqual([idOf(detail), then.get(idOf(detail))]);
  });

  it('is an event by today’s contract', () => {
    for (const event of events) expect(parseEvent(event)).toMatchObject({ detail: { id: event.detail['id'] } });
  });

  it('is understood in quarantine, or is not for the same reason as then', async () => {
    const redrive = redriveQuarantined({ accounts: accountIndex([demoAccount as never]) } as never, {
      account: demoAccount.userName,
      isDryRun: true,
    });
    const entries = rows.quarantine.filter(({ reason }) => reason !== undefined);
    expect(entries).not.toHaveLength(0);
    for (const row of entries) {
      const entry = QuarantineEntry.parse(row);
      expect(await redrive({ id: '', entry })).toMatchObject({ ok: false, problem: entry.reason });
    }
  });

  /** Today’s functions over the rows, a slot after the last poll. The same agents are logged in. */
  const upgraded = async () => {
    const [feed] = ofKind('feed');
    const present = ofKind('agent').filter(({ state }) => state !== 'logged-out');
    const d = await deployment({
      accounts: [{ ...demoAccount, baseUrl: 'https://service.example' }],
      startedAt: String(feed?.['asOf']),
      service: { logins: [loggedIn(Object.fromEntries(present.map((row) => [String(row['agentId']), asSent(row)])))] },
    });
    for (const table of ['calls', 'agents', 'quarantine'] as const)
      await writeInBatches(
        { client: d.dynamodb, tableName: d.tables[table], deadlineMs: 60_000 },
        rows[table].map((row) => ({ PutRequest: { Item: marshalled(row) } })),
      );
    await d.settled();
    return { ...d, publishedThen: d.published().length };
  };

  it('is known to the functions: what was posted then is a duplicate, and changes nothing', async () => {
    const d = await upgraded();
    const before = await d.rows('calls');
    const deliveries = [...ofKind('call'), ...ofKind('participant')].flatMap(
      (row) => row['deliveries'] as readonly { readonly asSent: string; readonly source?: string }[],
    );
    const posted = deliveries.filter(({ source }) => source === undefined);

    expect(posted.length).toBeGreaterThan(20);
    for (const { asSent: text } of posted)
      expect(await d.post(withKey(decompressText(text)))).toMatchObject({
        status: 200,
        stored: 0,
        duplicates: 1,
      });
    expect(await d.rows('calls')).toEqual(before);
    expect(d.faults()).toEqual([]);
  });

  it('is polled on: with the token of then, and the agents of then are no news', async () => {
    const d = await upgraded();
    await d.polls(2);
    await d.settled();

    expect(d.published().slice(d.publishedThen)).toEqual([]);
    expect(await d.feed()).toMatchObject({
      status: 'live',
      asOf: d.now(),
      agentCount: ofKind('feed')[0]?.['agentCount'],
    });
    expect(d.service.requests().map(({ operation }) => operation)).toEqual(['logins', 'logins']);
    expect(d.faults()).toEqual([]);
  });

  it('is recovered from the parking queue, once: the same posts are duplicates afterwards', async () => {
    const d = await upgraded();
    for (const body of messages.parked) d.park(body);
    await d.settled();

    expect([d.deadLetters(), d.faults()]).toEqual([[], []]);
    for (const name of ['call-summary', 'advanced-callback', 'missed-call'])
      expect(await d.post(readFileSync(`sandbox/examples/${name}.json`, 'utf8'))).toMatchObject({
        stored: 0,
        quarantined: 0,
      });
  });

  it('is reconciled on, from the step at which it was replaced', async () => {
    const d = await upgraded();
    for (const body of messages.reconciliation.toReversed()) await d.reconcile(JSON.parse(body));

    const [row] = (await d.rows('agents')).filter(({ kind }) => kind === 'reconciliation');
    expect(row).toMatchObject({ completedAt: expect.any(String), lastRun: { isDryRun: false } });
    expect(Object.keys(row?.['days'] ?? {})).toHaveLength(15);
    expect(d.faults()).toEqual([]);
  });
});
