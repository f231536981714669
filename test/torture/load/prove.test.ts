import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../lib/record/delivery.ts';
import { recordOf } from '../../../lib/record/row.ts';
import type { Found } from '../../../torture/load/found.ts';
import { prove } from '../../../torture/load/prove.ts';
import { type KeptWorld, keptWorld } from './support/kept-world.ts';

const world = await keptWorld();
const { calls, events, quarantine } = world.found;

const found = <T>(list: readonly T[], isIt: (one: T) => boolean): T => {
  const one = list.find(isIt);
  if (one === undefined) throw new Error('The world lacks what the test needs');
  return one;
};
const replaced = <T>(list: readonly T[], one: T, ...others: readonly T[]): readonly T[] =>
  list.flatMap((each) => (each === one ? others : [each]));

const deliveriesOf = (row: Facts) => (row['kind'] === 'agent-entry' ? [] : recordOf(row).deliveries);
const row = found(calls, ({ kind }) => kind === 'call');
const participant = found(calls, ({ kind }) => kind === 'participant');
const entry = found(calls, ({ kind }) => kind === 'agent-entry');
const severalTimes = found(calls, (one) => one['kind'] === 'call' && deliveriesOf(one).length > 1);
const revised = found(events, ({ detail }) => detail['revision'] === 2);
const revisedRow = found(
  calls,
  ({ callId, leg }) => callId === revised.detail['callId'] && leg === revised.detail['leg'],
);
const first = found(
  events,
  ({ detail }) =>
    detail['callId'] === revised.detail['callId'] &&
    detail['revision'] === 1 &&
    detail['leg'] === revised.detail['leg'],
);
const once = found(events, ({ detail }) => detail['revision'] === 1 && detail !== first.detail);
const strangers = found(quarantine, ({ account }) => account === undefined);
const accounts = found(quarantine, ({ account }) => account === 'demo');

const withDeliveries = (changed: Facts, change: (deliveries: readonly Facts[]) => readonly Facts[]): Facts => ({
  ...changed,
  deliveries: change(changed['deliveries'] as readonly Facts[]),
});
const withDetail = (event: (typeof events)[number], change: Facts) => ({
  ...event,
  detail: { ...event.detail, ...change },
});

const planted: readonly (readonly [what: string, change: Partial<Found>, told: RegExp])[] = [
  [
    'a call that was lost',
    { calls: replaced(calls, row) },
    /There is no row of call demo \S+ main, which was acknowledged/,
  ],
  ['a participant that was lost', { calls: replaced(calls, participant) }, /There is no row of participant demo/],
  [
    'a row that nobody posted',
    { calls: [...calls, { ...row, pk: 'demo#1', callId: '1' }] },
    /demo#1 \/ leg#main, of what was never posted/,
  ],
  [
    'a delivery that was lost',
    {
      calls: replaced(
        calls,
        severalTimes,
        withDeliveries(severalTimes, (all) => all.slice(1)),
      ),
    },
    /lacks the delivery \w+, which was acknowledged/,
  ],
  [
    'a delivery that is there twice',
    {
      calls: replaced(
        calls,
        row,
        withDeliveries(row, (all) => [...all, ...all]),
      ),
    },
    /holds a delivery twice/,
  ],
  [
    'a delivery of another name',
    {
      calls: replaced(
        calls,
        row,
        withDeliveries(row, (all) => [...all, { ...all[0], id: 'none' }]),
      ),
    },
    /holds the delivery none, which was never posted/,
  ],
  [
    'a delivery dated to when it was recovered',
    {
      calls: replaced(
        calls,
        row,
        withDeliveries(row, (all) => all.map((one) => ({ ...one, receivedAt: '2026-11-21T23:00:00.000Z' }))),
      ),
    },
    /received \d+ ms after it was acknowledged/,
  ],
  [
    'a delivery dated back',
    {
      calls: replaced(
        calls,
        row,
        withDeliveries(row, (all) => all.map((one) => ({ ...one, receivedAt: '2026-11-20T23:00:00.000Z' }))),
      ),
    },
    /received before it was sent/,
  ],
  [
    'a field that was lost',
    { calls: replaced(calls, row, { ...row, skillName: 'Other' }) },
    /otherwise than it was posted/,
  ],
  [
    'deliveries merged otherwise',
    {
      calls: replaced(
        calls,
        severalTimes,
        withDeliveries({ ...severalTimes, comments: 'Merged' }, (all) =>
          all.map(({ differs = {}, ...one }, index) => ({
            ...one,
            differs: {
              ...(differs as Facts),
              comments: deliveriesOf(severalTimes)[index]?.facts['comments'] ?? null,
            },
          })),
        ),
      ),
    },
    /is not what its deliveries make/,
  ],
  [
    'an index entry that was lost',
    { calls: replaced(calls, entry) },
    /The entry of a further agent, \S+ \/ \S+, is missing/,
  ],
  [
    'an index entry left over',
    { calls: [...calls, { ...entry, sk: 'main#nobody' }] },
    /main#nobody, whom no call names/,
  ],
  ['an event that was lost', { events: replaced(events, once) }, /Revision 1 of .* was never told/],
  ['the event of a revision that was lost', { events: replaced(events, revised) }, /Revision 2 of .* was never told/],
  ['an event told twice', { events: [...events, once] }, /was told twice without a crash between/],
  [
    'an event told again under another id',
    { events: [...events, withDetail(once, { id: 'other' })], killedAfter: [events.length] },
    /was told again under another id/,
  ],
  [
    'an event told again in other words',
    { events: [...events, withDetail(once, { occurredAt: 'later' })], killedAfter: [events.length] },
    /was told again in other words/,
  ],
  [
    'two events of one id',
    { events: replaced(events, once, withDetail(once, { id: first.detail['id'] })) },
    /is that of two different events/,
  ],
  [
    'an event of a revision that never was',
    { events: [...events, withDetail(once, { id: 'next', revision: 99 })] },
    /Revision 99 of .* never was/,
  ],
  [
    'an event of a call that nobody posted',
    { events: [...events, withDetail(once, { id: 'none', callId: '1' })] },
    /There are events of call demo 1 \S+, of which there is no row/,
  ],
  ['revisions told out of order', { events: [revised, ...replaced(events, revised)] }, /were told out of order/],
  [
    'an event that says what the row does not',
    { events: replaced(events, revised, withDetail(revised, { call: {} })) },
    /is not what the row says/,
  ],
  [
    'events told again from before the crash, without end',
    { events: [...events, ...events], killedAfter: [events.length] },
    /\d+ events were told again, where crashes account for 100/,
  ],
  [
    'something quarantined that was lost',
    { quarantine: replaced(quarantine, accounts) },
    /is there 0 times, where 1 to 1 were due/,
  ],
  [
    "a stranger's post that was lost",
    { quarantine: replaced(quarantine, strangers) },
    /The quarantined stranger's .* is there \d+ times/,
  ],
  [
    'something in quarantine that nobody posted',
    { quarantine: [...quarantine, { ...accounts, body: '{"planted":1}' }] },
    /was never posted/,
  ],
];

describe('prove', () => {
  it('finds nothing wrong where all is well', () => {
    expect(world.ledger.records.size).toBeGreaterThan(100);
    expect(prove(world.ledger, world.found)).toEqual([]);
  });

  it('allows what was told again after a crash', () => {
    const [before, after] = [events.slice(0, 50), events.slice(50)];

    expect(
      prove(world.ledger, { ...world.found, events: [...before, ...before.slice(-10), ...after], killedAfter: [50] }),
    ).toEqual([]);
  });

  it("passes over agents' events and the counters of quarantine", () => {
    const agents = { type: 'Agent Feed Interrupted', detail: { id: 'agents', account: 'demo' } };
    const counter = { id: 'strangers#2026-11-21T10:00', kept: 3 };
    const others = { events: [agents, ...events], quarantine: [counter, ...quarantine] };

    expect(prove(world.ledger, { ...world.found, ...others })).toEqual([]);
  });

  it.each(planted)('finds %s', (_what, change, told) => {
    const failures = prove(world.ledger, { ...world.found, ...change });

    expect(failures.join('\n')).toMatch(told);
  });

  it('finds a call that the contact centre named and no row has', () => {
    const ledger: KeptWorld['ledger'] = { ...world.ledger, callIds: new Set(['404']) };

    expect(prove(ledger, world.found)).toEqual(['The call 404 was posted and acknowledged, and is not in the table.']);
  });

  it('tells of answers that were wrong', () => {
    expect(prove({ ...world.ledger, wrongAnswers: ['401 where 200 was due'] }, world.found)).toEqual([
      'A post was answered 401 where 200 was due.',
    ]);
  });

  it('needs the row of a revised call to say as many revisions as were told', () => {
    const calls2 = replaced(calls, revisedRow, { ...revisedRow, revision: 1 });

    expect(prove(world.ledger, { ...world.found, calls: calls2 }).join('\n')).toMatch(/Revision 2 of .* never was/);
  });
});
