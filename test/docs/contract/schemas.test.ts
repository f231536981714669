import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RowName, rowSchemaPath, storedRows } from '../../../docs/contract/schemas.ts';
import { recordingRow } from '../../../functions/archive-recordings/recording-row.ts';
import { eventSchemas } from '../../../lib/contract/events.ts';
import { parseEvent } from '../../../lib/contract/index.ts';
import { eventsOf } from '../../../lib/publish/events-of-change.ts';
import { type Row, unmarshalled } from '../../../lib/storage/rows.ts';
import { agentsTable, callsTable, type Index } from '../../../lib/storage/tables.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { deployment } from '../../deployment/index.ts';
import { specificationParticipant as participant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { simulatedHours } from '../../fixtures/simulated-centre.ts';
import { startTestTables } from '../../support/dynamodb-local.ts';
import { archivingChange, recordingStates } from '../../support/every-event.ts';
import { pollTwoDays } from '../../support/polled-centre.ts';
import { logIn } from '../../support/sandbox.ts';
import { delivered, eventFaults, faultsBy, packagedSchema } from './support/event-bridge.ts';

/** The contract's name of a row, by its kind. */
const names: Readonly<Record<string, RowName>> = {
  call: 'Call',
  participant: 'CallParticipant',
  'agent-entry': 'ListedCall',
  recording: 'Recording',
  agent: 'AgentNow',
  feed: 'FeedNow',
  interval: 'AgentInterval',
  floor: 'FloorSnapshot',
  'feed-change': 'FeedChange',
};

/** The attributes of a row that an index has: the keys of both, and the projected ones. */
const projectToIndex = (row: Row, { key, projection }: Index): Row => {
  const projected = new Set([callsTable.key.partition, callsTable.key.sort, key.partition, key.sort, ...projection]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => projected.has(name)));
};

/** Rows for the command line alone, which the contract does not promise. */
const unpromised = new Set<unknown>(['accounts']);

/** An undocumented value in every field, so that every `…AsSent` exists; `fixed` fields stay as they are. */
const odd = (fields: readonly string[], fixed: object) => ({
  ...Object.fromEntries(fields.map((field) => [field, 'Something new'])),
  ...fixed,
});

const posts = [
  [
    { ...summary, monitorUCID: '1', AgentID: 'a -> b', UUI: 'SkillTransfer-77~1001', Disposition: 'Sale' },
    { ...participant, UCID: '1' },
  ],
  [
    odd(wireCallFields, { monitorUCID: '2', Apikey: 'demo-key', UserName: 'demo', New: 'x' }),
    odd(wireParticipantFields, { UCID: '2', New: 'x' }),
  ],
  [{ ...summary, monitorUCID: '3', HoldDuration: '5', WrapUpDuration: '6', DataUniqueId: '7', UCID: '8', CallID: '9' }],
  [
    {
      ...summary,
      monitorUCID: '3',
      HoldDuration: '5',
      WrapUpDuration: '6',
      DataUniqueId: '7',
      UCID: '88',
      CallID: '9',
      Disposition: 'Sale',
      CallerConfAudioFile: 'https://r.example/c',
      TransferredTo: 'x',
    },
  ],
];

const recordings = Object.values(recordingStates).map(recordingRow);

const found = new Map<RowName, Row[]>();
const note = (name: RowName, row: Row) => found.set(name, [...(found.get(name) ?? []), row]);

/** What the indexes have of a row is a row of the contract too. */
const noteListings = (name: RowName, row: Row): void => {
  if (name === 'Call') for (const index of callsTable.indexes) note('ListedCall', projectToIndex(row, index));
  if (name === 'AgentNow') for (const index of agentsTable.indexes) note('AgentInState', projectToIndex(row, index));
};

beforeAll(async () => {
  // Late, so that the calls are in the index of late ones too.
  const d = await deployment({ startedAt: '2026-11-21T06:00:00.000Z' });
  for (const post of posts) expect(await d.post(post)).toMatchObject({ status: 200, quarantined: 0 });
  const calls = await d.rows('calls');

  const tables = await startTestTables();
  const centre = await pollTwoDays(tables, 'demo');
  centre.script(logIn('nila'));
  await centre.answer('undocumented-fields');
  await centre.poll();
  // An unreadable answer leaves its reason in the feed's row, and logs nobody out.
  await centre.answer('html', 8);
  for (let polls = 0; polls < 4; polls++) await centre.poll();
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.tableNames.agents }));
  await centre.stop();
  await tables.stop();

  for (const row of [...calls, ...recordings, ...Items.map(unmarshalled)]) {
    if (unpromised.has(row['kind'])) continue;
    const name = names[String(row['kind'])];
    expect(name, String(row['kind'])).toBeDefined();
    if (name === undefined) continue;
    note(name, row);
    noteListings(name, row);
  }
});

afterAll(() => found.clear());

/** Attributes that no row here has, such as the mark of a replay, of a call that only the call report told, of an odd change, or of a signed link. */
const elsewhere: Readonly<Partial<Record<RowName, readonly string[]>>> = {
  Call: ['lastChange', 'replayedAt', 'source', 'approximateAt', 'handleSeconds'],
  CallParticipant: ['lastChange', 'replayedAt'],
  Recording: ['linkId', 'replayedAt'],
  FeedNow: ['pausedUntil', 'callbacksSilentSince'],
  FeedChange: ['replayedAt'],
};

describe.each(Object.entries(storedRows))('the row %s', (title, schema) => {
  const name = Object.values(names).find((one) => one === title) ?? 'AgentInState';
  const path = rowSchemaPath(name).slice('schemas/'.length, -'.schema.json'.length);
  const attributes = () => new Set((found.get(name) ?? []).flatMap((row) => Object.keys(row)));

  it('has every attribute of the page, and no other', () => {
    const missing = Object.keys(schema.shape).filter((attribute) => !attributes().has(attribute));

    expect(missing).toEqual(elsewhere[name] ?? []);
    expect([...attributes()].filter((attribute) => !(attribute in schema.shape))).toEqual([]);
  });

  it('fits its JSON Schema, which has the same attributes', () => {
    expect(Object.keys(packagedSchema(path).properties)).toEqual(Object.keys(schema.shape));
    for (const row of found.get(name) ?? []) expect(faultsBy(path, row), JSON.stringify(row)).toEqual([]);
  });
});

it('every event of 45 minutes in the simulated contact centre fits its JSON Schema, and parseEvent accepts it', async () => {
  const counts = new Map<string, number>();
  const fields = new Set<string>();
  for await (const events of simulatedHours({ seed: 20_261_121, hours: 0.75, gapMs: 9_000 }))
    for (const event of events) {
      const type = event['detail-type'];
      expect(eventFaults(event), type).toEqual([]);
      expect(parseEvent(event)).toBe(event);
      counts.set(type, (counts.get(type) ?? 0) + 1);
      for (const name of Object.keys(event.detail['call'] ?? {})) fields.add(name);
    }

  // Nothing archives the centre's recordings.
  for (const event of eventsOf(archivingChange).map(delivered)) {
    expect(eventFaults(event)).toEqual([]);
    expect(parseEvent(event)).toBe(event);
    counts.set(String(event['detail-type']), 1);
  }
  expect(new Set(counts.keys())).toEqual(new Set(Object.keys(eventSchemas)));
  expect(counts.get('Call Summary Recorded')).toBeGreaterThan(200);
  expect(counts.get('Agent State Changed')).toBeGreaterThan(200);
  expect([...fields]).toEqual(
    expect.arrayContaining(['notes', 'extra', 'linkedCallId', 'dispositions', 'hangupByAsSent']),
  );
});
