import { describe, expect, it } from 'vitest';
import { newFeed } from '../../../lib/feed/feed.ts';
import { agentsOnFloor, floorRows } from '../../../lib/floor/floor-rows.ts';
import { KeptFloor } from '../../../lib/floor/kept-floor.ts';
import { stepOf } from '../../../lib/floor/step.ts';
import { asStored } from '../../support/row-limits.ts';
import { agentsOf, loggedIn, moment } from '../support/agents.ts';

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

describe('a kept floor', () => {
  it.each(sizes)('has everybody once over its parts, each of which is a row: %s', (_title, count, posted) => {
    const agents = many(count, posted);
    const rows = floorRows(feed, at, agentsOf(...agents), 7);

    for (const row of rows) expect(asStored(row)).toEqual(row);
    expect(agentsOnFloor(rows).map(({ agentId }) => agentId)).toEqual(agents.map(({ agentId }) => agentId));
    expect(rows.map(({ part, parts }) => [part, parts])).toEqual(rows.map((_, index) => [index, rows.length]));
    expect(rows.map(({ sk }) => sk)).toEqual(rows.map(({ sk }) => sk).sort());
    for (const row of rows) expect(KeptFloor.safeParse(row).error).toBeUndefined();
  });

  it('has one part for some 1,500 agents', () => {
    const posted = { AgentName: 'Asha Rao', PhoneNumber: '09000000001', SkillName: 'Sales, Support' };

    expect(floorRows(feed, at, agentsOf(...many(1_400, posted)), 7)).toHaveLength(1);
    expect(floorRows(feed, at, agentsOf(...many(2_000, posted)), 7)).toHaveLength(2);
  });

  it('is one part without agents where nobody is there', () => {
    expect(floorRows(feed, at, new Map(), 7)).toEqual([
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
    const [row] = floorRows({ ...feed, status: 'live', asOf: at }, at, agentsOf(asha), 7);

    expect(row).toMatchObject({ status: 'live', asOf: at, counts: { acw: 1 } });
    expect(row?.['agents']).toEqual([
      { agentId: 'asha', name: 'Asha', state: 'acw', stateAsSent: 'ACW', since: at, loggedInSince: at },
    ]);
  });

  it('leaves out who has left', () => {
    const left = stepOf(loggedIn(at), undefined, moment('2026-11-20T06:00:15.000Z'))?.after;
    const [row] = floorRows(feed, at, agentsOf(...(left ? [left] : [])), 7);

    expect(row).toMatchObject({ counts: {}, agents: [] });
  });

  it('fails on a row that something else wrote', () => {
    expect(() => agentsOnFloor([{ pk: 'demo#floor', sk: at }])).toThrow();
  });
});
