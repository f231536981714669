import { describe, expect, it } from 'vitest';
import { newFeed } from '../../../lib/feed/feed.ts';
import { floorRows } from '../../../lib/floor/floor-rows.ts';
import { forgetUncounted, keptFloorAt } from '../../../lib/floor/keep-floor.ts';
import { agentsOf, loggedIn } from '../support/agents.ts';
import { memoryAgentTable } from '../support/memory-agent-table.ts';
import { recordingTelemetry } from '../support/ports.ts';

const at = '2026-11-20T06:00:00.000Z';
const later = '2026-11-20T06:00:15.000Z';
const latest = '2026-11-20T06:00:30.000Z';
const feed = newFeed('demo', new Date(at));
const agents = agentsOf(
  ...Array.from({ length: 2_000 }, (_, index) =>
    loggedIn(at, { AgentId: `agent-${index}`, AgentName: 'x'.repeat(200) }),
  ),
);
const rowsAt = (instant: string) => floorRows(feed, instant, agents, 7);

const kept = async (...instants: readonly string[]) => {
  const table = memoryAgentTable();
  await table.put(instants.flatMap(rowsAt));
  return { table, clock: () => new Date(at), telemetry: recordingTelemetry() };
};

describe('keptFloorAt', () => {
  it('has everybody of all parts', async () => {
    const ports = await kept(at, later);

    expect(rowsAt(at).length).toBeGreaterThan(1);
    expect((await keptFloorAt(ports, 'demo', at))?.length).toBe(2_000);
    expect((await keptFloorAt(ports, 'demo', later))?.length).toBe(2_000);
  });

  it.each([0, 1])('has nobody where part %d has expired: half a floor would log out the other half', async (part) => {
    const ports = await kept(at);
    await ports.table.remove(rowsAt(at).slice(part, part + 1));

    expect(await keptFloorAt(ports, 'demo', at)).toBeUndefined();
  });

  it('has nobody where none was kept', async () => {
    expect(await keptFloorAt(await kept(at), 'demo', later)).toBeUndefined();
    expect(await keptFloorAt(await kept(at), 'other', at)).toBeUndefined();
  });
});

describe('forgetUncounted', () => {
  it.each<[string, string | undefined, readonly string[]]>([
    ['after the one that counted last', later, [at, later]],
    ['after an instant at which none was kept', '2026-11-20T06:00:20.000Z', [at, later]],
    ['where none has counted yet', undefined, []],
    ['none after the latest', latest, [at, later, latest]],
  ])('removes every floor %s', async (_title, floorKeptAt, left) => {
    const ports = await kept(at, later, latest);
    await forgetUncounted(ports, { ...feed, poller: { ...feed.poller, floorKeptAt } });

    expect([...new Set(ports.table.all().map((row) => row['at']))]).toEqual(left);
    expect(ports.table.all()).toHaveLength(left.length * rowsAt(at).length);
  });
});
