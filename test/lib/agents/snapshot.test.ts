import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import { newFeed } from '../../../lib/agents/feed.ts';
import { Snapshot } from '../../../lib/agents/schema.ts';
import { agentsInSnapshot, deleteUncommitted, readSnapshot, snapshotRows } from '../../../lib/agents/snapshot.ts';
import { asStored } from '../../deployment/memory-dynamodb/limits.ts';
import { agentsOf, loggedIn, moment } from '../../support/agents.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

describe('snapshotRows', () => {
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
    ['2,500 agents', 2_500, { AgentName: 'Asha Rao', PhoneNumber: '09000000001', SkillName: 'Sales, Support' }],
    ['agents with the longest name and skills', 30, { AgentName: 'x'.repeat(255), SkillName: hundredSkills('x') }],
    [
      'agents with as many characters of three bytes',
      30,
      { AgentName: '漢'.repeat(255), SkillName: hundredSkills('漢') },
    ],
    ['agents with skills of escaped characters', 30, { SkillName: hundredSkills('"') }],
    ['agents with undocumented fields', 30, { Team: 'Pune', Location: '漢'.repeat(255) }],
  ];

  it.each(sizes)('has each agent once, in parts that fit into rows: %s', (_title, count, posted) => {
    const agents = many(count, posted);
    const rows = snapshotRows(feed, at, agentsOf(...agents), 7);

    for (const row of rows) expect(asStored(row)).toEqual(row);
    expect(agentsInSnapshot(rows).map(({ agentId, extra }) => [agentId, extra])).toEqual(
      agents.map(({ agentId, extra }) => [agentId, extra]),
    );
    expect(rows.map(({ part, parts }) => [part, parts])).toEqual(rows.map((_, index) => [index, rows.length]));
    expect(rows.map(({ sk }) => sk)).toEqual(rows.map(({ sk }) => sk).sort());
    for (const row of rows) expect(Snapshot.safeParse(row).error).toBeUndefined();
  });

  it('has one part for 1,400 agents', () => {
    const posted = { AgentName: 'Asha Rao', PhoneNumber: '09000000001', SkillName: 'Sales, Support' };

    expect(snapshotRows(feed, at, agentsOf(...many(1_400, posted)), 7)).toHaveLength(1);
    expect(snapshotRows(feed, at, agentsOf(...many(2_000, posted)), 7)).toHaveLength(2);
  });

  it('has one part without agents where nobody is logged in', () => {
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

  it('has the published facts of an agent, and counts by state', () => {
    const asha = loggedIn(at, { AgentName: 'Asha', AgentState: 'ACW' });
    const [row] = snapshotRows({ ...feed, status: 'live', asOf: at }, at, agentsOf(asha), 7);

    expect(row).toMatchObject({ status: 'live', asOf: at, counts: { acw: 1 } });
    expect(row?.['agents']).toEqual([
      { agentId: 'asha', name: 'Asha', state: 'acw', stateAsSent: 'ACW', since: at, loggedInSince: at },
    ]);
  });

  it('omits an agent who has logged out', () => {
    const loggedOut = changeOf(loggedIn(at), undefined, moment('2026-11-20T06:00:15.000Z'))?.after;
    const [row] = snapshotRows(feed, at, agentsOf(...(loggedOut ? [loggedOut] : [])), 7);

    expect(row).toMatchObject({ counts: {}, agents: [] });
  });

  it('is rejected where something else wrote a row', () => {
    expect(() => agentsInSnapshot([{ pk: 'demo#floor', sk: at }])).toThrow();
  });
});

describe('a stored snapshot', () => {
  const [at, later, latest] = [0, 15, 30].map((seconds) =>
    new Date(1_795_154_400_000 + seconds * 1_000).toISOString(),
  ) as [string, string, string];
  const feed = newFeed('demo', new Date(at));
  // In as many as two parts.
  const agents = agentsOf(
    ...Array.from({ length: 40 }, (_, index) =>
      loggedIn(at, {
        AgentId: `agent-${index}`,
        SkillName: Array.from({ length: 50 }, (_, skill) => `${skill}`.padEnd(100, '漢')).join(','),
      }),
    ),
  );
  const rowsAt = (instant: string) => snapshotRows(feed, instant, agents, 7);

  const tableWithSnapshots = async (...instants: readonly string[]) => {
    const table = memoryAgentTable();
    await table.put(instants.flatMap(rowsAt));
    return { table, clock: () => new Date(at), telemetry: recordingTelemetry() };
  };

  it('is read with the agents of all parts', async () => {
    const ports = await tableWithSnapshots(at, later);

    expect(rowsAt(at)).toHaveLength(2);
    expect((await readSnapshot(ports, 'demo', at))?.length).toBe(40);
    expect((await readSnapshot(ports, 'demo', later))?.length).toBe(40);
  });

  it.each([0, 1])('is not read without part %d: half of the agents would be logged out', async (part) => {
    const ports = await tableWithSnapshots(at);
    await ports.table.remove(rowsAt(at).slice(part, part + 1));

    expect(await readSnapshot(ports, 'demo', at)).toBeUndefined();
  });

  it('is not read at another instant or for another account', async () => {
    expect(await readSnapshot(await tableWithSnapshots(at), 'demo', later)).toBeUndefined();
    expect(await readSnapshot(await tableWithSnapshots(at), 'other', at)).toBeUndefined();
  });

  it.each<[string, string | undefined, readonly string[]]>([
    ['after the committed one', later, [at, later]],
    ['after an instant without a snapshot', '2026-11-20T06:00:20.000Z', [at, later]],
    ['where none was ever committed', undefined, []],
    ['not where it is committed', latest, [at, later, latest]],
  ])('is deleted as uncommitted %s', async (_title, snapshotAt, left) => {
    const ports = await tableWithSnapshots(at, later, latest);
    await deleteUncommitted(ports, { ...feed, poller: { ...feed.poller, snapshotAt } });

    expect([...new Set(ports.table.all().map((row) => row['at']))]).toEqual(left);
    expect(ports.table.all()).toHaveLength(left.length * rowsAt(at).length);
  });
});
