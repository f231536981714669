import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import { newFeed } from '../../../lib/agents/feed.ts';
import {
  agentsInSnapshot,
  deleteUncommitted,
  readSnapshot,
  Snapshot,
  snapshotRows,
} from '../../../lib/agents/snapshot.ts';
import { agentsOf, loggedIn, moment } from '../../support/agents.ts';
import { asStored } from '../../support/dynamodb-limits.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

describe('a kept floor', () => {
  const at = '2026-11-20T06:00:00.000Z';
  const feed = newFeed('demo', new Date(at));
  const many = (count: number, posted: object) =>
    Array.from({ length: count }, (_, index) =>
      loggedIn(at, { AgentId: `agent-${String(index).padStart(5, '0')}`, ...posted }),
    );

  const hundredSkills = (of: string) =>
    Array.from({ length: 100 }, (_, index) => `${String(index).padStart(3, '0')}${of.repeat(255)}`.slice(0, 255)).join(
      ',',
    );

  const sizes: readonly (readonly [string, number, object])[] = [
    ['one agent', 1, {}],
    ['10,000 agents', 10_000, { AgentName: 'Asha Rao', PhoneNumber: '09000000001', SkillName: 'Sales, Support' }],
    ['agents of nothing but an id', 5_000, {}],
    ['agents with as much as can be kept of one', 30, { AgentName: 'x'.repeat(255), SkillName: hundredSkills('x') }],
    ['agents with as many bytes', 30, { AgentName: '漢'.repeat(255), SkillName: hundredSkills('漢') }],
    ['agents with skills of quotes', 30, { SkillName: hundredSkills('"') }],
  ];

  it.each(sizes)('has everybody once over its parts, each of which is a row: %s', (_title, count, posted) => {
    const agents = many(count, posted);
    const rows = snapshotRows(feed, at, agentsOf(...agents), 7);

    for (const row of rows) expect(asStored(row)).toEqual(row);
    expect(agentsInSnapshot(rows).map(({ agentId }) => agentId)).toEqual(agents.map(({ agentId }) => agentId));
    expect(rows.map(({ part, parts }) => [part, parts])).toEqual(rows.map((_, index) => [index, rows.length]));
    expect(rows.map(({ sk }) => sk)).toEqual(rows.map(({ sk }) => sk).sort());
    for (const row of rows) expect(Snapshot.safeParse(row).error).toBeUndefined();
  });

  it('has one part for some 1,500 agents', () => {
    const posted = { AgentName: 'Asha Rao', PhoneNumber: '09000000001', SkillName: 'Sales, Support' };

    expect(snapshotRows(feed, at, agentsOf(...many(1_400, posted)), 7)).toHaveLength(1);
    expect(snapshotRows(feed, at, agentsOf(...many(2_000, posted)), 7)).toHaveLength(2);
  });

  it('is one part without agents where nobody is there', () => {
    expect(snapshotRows(feed, at, new Map(), 7)).toEqual([
      {
        pk: 'demo#floor',
        sk: '2026-11-20T06:00:00.000Z#000',
        kind: 'floor',
        account: 'demo',
        at,
        status: 'starting',
        part: 0,
        parts: 1,
        counts: {},
        agents: [],
        expiresAt: Date.parse('2026-11-27T06:00:00.000Z') / 1000,
      },
    ]);
  });

  it('shows of an agent what readers may rely on, and counts by state', () => {
    const asha = loggedIn(at, { AgentName: 'Asha', AgentState: 'ACW' });
    const [row] = snapshotRows({ ...feed, status: 'live', asOf: at }, at, agentsOf(asha), 7);

    expect(row).toMatchObject({ status: 'live', asOf: at, counts: { acw: 1 } });
    expect(row?.['agents']).toEqual([
      { agentId: 'asha', name: 'Asha', state: 'acw', stateAsSent: 'ACW', since: at, loggedInSince: at },
    ]);
  });

  it('leaves out who has left', () => {
    const left = changeOf(loggedIn(at), undefined, moment('2026-11-20T06:00:15.000Z'))?.after;
    const [row] = snapshotRows(feed, at, agentsOf(...(left ? [left] : [])), 7);

    expect(row).toMatchObject({ counts: {}, agents: [] });
  });

  it('fails on a row that something else wrote', () => {
    expect(() => agentsInSnapshot([{ pk: 'demo#floor', sk: at }])).toThrow();
  });
});

describe('keep floor', () => {
  const at = '2026-11-20T06:00:00.000Z';
  const later = '2026-11-20T06:00:15.000Z';
  const latest = '2026-11-20T06:00:30.000Z';
  const feed = newFeed('demo', new Date(at));
  const agents = agentsOf(
    ...Array.from({ length: 2_000 }, (_, index) =>
      loggedIn(at, { AgentId: `agent-${index}`, AgentName: 'x'.repeat(200) }),
    ),
  );
  const rowsAt = (instant: string) => snapshotRows(feed, instant, agents, 7);

  const tableWithSnapshots = async (...instants: readonly string[]) => {
    const table = memoryAgentTable();
    await table.put(instants.flatMap(rowsAt));
    return { table, clock: () => new Date(at), telemetry: recordingTelemetry() };
  };

  describe('keptFloorAt', () => {
    it('has everybody of all parts', async () => {
      const ports = await tableWithSnapshots(at, later);

      expect(rowsAt(at).length).toBeGreaterThan(1);
      expect((await readSnapshot(ports, 'demo', at))?.length).toBe(2_000);
      expect((await readSnapshot(ports, 'demo', later))?.length).toBe(2_000);
    });

    it.each([0, 1])('has nobody where part %d has expired: half a floor would log out the other half', async (part) => {
      const ports = await tableWithSnapshots(at);
      await ports.table.remove(rowsAt(at).slice(part, part + 1));

      expect(await readSnapshot(ports, 'demo', at)).toBeUndefined();
    });

    it('has nobody where none was kept', async () => {
      expect(await readSnapshot(await tableWithSnapshots(at), 'demo', later)).toBeUndefined();
      expect(await readSnapshot(await tableWithSnapshots(at), 'other', at)).toBeUndefined();
    });
  });

  describe('forgetUncounted', () => {
    it.each<[string, string | undefined, readonly string[]]>([
      ['after the one that counted last', later, [at, later]],
      ['after an instant at which none was kept', '2026-11-20T06:00:20.000Z', [at, later]],
      ['where none has counted yet', undefined, []],
      ['none after the latest', latest, [at, later, latest]],
    ])('removes every floor %s', async (_title, snapshotAt, left) => {
      const ports = await tableWithSnapshots(at, later, latest);
      await deleteUncommitted(ports, { ...feed, poller: { ...feed.poller, snapshotAt } });

      expect([...new Set(ports.table.all().map((row) => row['at']))]).toEqual(left);
      expect(ports.table.all()).toHaveLength(left.length * rowsAt(at).length);
    });
  });
});
