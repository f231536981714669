import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { eventBridgeBus } from '../../../functions/publish-changes/app.ts';
import { publishChanges } from '../../../functions/publish-changes/publish-changes.ts';
import { noteReceipts } from '../../../lib/agents/callback-receipts.ts';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import type { BusEvent } from '../../../lib/publish/events-of-change.ts';
import { maxDetailBytes } from '../../../lib/publish/project-event.ts';
import { call as callSummary, type Deployment, deployment } from '../../deployment/index.ts';
import { recordingBus, recordingTelemetry, unavailable } from '../../support/memory-ports.ts';
import {
  agentChange,
  agentFacts,
  callEventOf,
  changesFromFacts,
  loggedIn,
  moment,
  newCall,
} from '../../support/posted-records.ts';
import { scriptedClient } from '../../support/watched-clients.ts';
import { loadDeployed, type Part, startSurroundings, stored, changeOf as streamed } from '../support/surroundings.ts';

const late = callSummary({ monitorUCID: '42' }).answered();

const publisher = (takes?: (event: BusEvent) => boolean) => {
  const bus = recordingBus(takes);
  const telemetry = recordingTelemetry();
  return { bus, telemetry, publish: publishChanges({ bus, telemetry }) };
};

describe('publishChanges', () => {
  const calls = (count: number) => Array.from({ length: count }, (_, index) => newCall(index));
  const idsOf = (events: readonly BusEvent[]) => events.map(({ detail }) => String(detail['callId']));

  const revisions = changesFromFacts([
    { status: 'not-answered' },
    { status: 'answered' },
    { status: 'answered', dispositions: ['Sale'] },
  ]);

  it('publishes every change in order, at most ten to a call', async () => {
    const { publish, bus, telemetry } = publisher();

    expect(await publish(calls(25))).toBeUndefined();
    expect(bus.calls.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(idsOf(bus.sent())).toEqual(calls(25).map((_, index) => String(index)));
    expect(telemetry.counts).toMatchObject({ EventsPublished: 25 });
  });

  it('does not call the bus if there is no event', async () => {
    const { publish, bus } = publisher();

    expect(await publish([])).toBeUndefined();
    expect(await publish([{ sequence: '1' }])).toBeUndefined();
    expect(bus.calls).toEqual([]);
  });

  it('publishes the revisions of a call in separate requests, because a request has no order', async () => {
    const { publish, bus } = publisher();
    await publish([newCall(1), ...revisions, newCall(2)]);

    expect(bus.calls.map((events) => events.map(({ detail }) => detail['revision']))).toEqual([[1, 1], [2], [3, 1]]);
  });

  const withText = (bytes: number) => newCall(1, { uui: `${'é'.repeat(bytes / 2)}${'x'.repeat(bytes % 2)}` });
  const sizeOf = (bytes: number) => Buffer.byteLength(JSON.stringify(callEventOf(withText(bytes))?.detail));
  const half = maxDetailBytes / 2 + 1 - sizeOf(1);
  it.each([
    ['fills a request to the last byte, counted in UTF-8', half, [2, 2, 1]],
    ['sends no byte more', half + 1, [1, 1, 1, 1, 1]],
  ])('%s', async (_title, bytes, requests) => {
    const { publish, bus } = publisher();
    const { after } = withText(bytes);
    await publish([1, 2, 3, 4, 5].map((id) => ({ sequence: `s${id}`, after: { ...after, callId: String(id) } })));

    expect(bus.calls.map((events) => events.length)).toEqual(requests);
  });

  it('asks for a retry from the first change that the bus rejected, stops there, and repeats no other then', async () => {
    let isUp = false;
    const isOdd = ({ detail }: BusEvent) => ['3', '5'].includes(String(detail['callId']));
    const { publish, bus, telemetry } = publisher((event) => isUp || !isOdd(event));

    expect(await publish(calls(12))).toBe('s3');
    expect(bus.calls).toHaveLength(1);
    expect(telemetry.counts).toMatchObject({ EventsPublished: 8 });
    expect(telemetry.faults).toMatchObject([['bus', { message: 'The bus rejected 2 of 10 events' }]]);
    isUp = true;
    expect(await publish(calls(12).slice(3))).toBeUndefined();
    expect(idsOf(bus.calls.slice(1).flat())).toEqual(['3', '5', '10', '11']);
  });

  it('never publishes a later revision before an earlier one, whatever the bus rejects', async () => {
    let tries = 0;
    const { publish, bus } = publisher(() => ++tries > 2);
    let rest = revisions;
    for (let round = 0; round < 5; round += 1) {
      const failedFrom = await publish(rest);
      if (failedFrom === undefined) break;
      rest = rest.slice(rest.findIndex(({ sequence }) => sequence === failedFrom));
    }

    expect(bus.calls.map(([event]) => event?.detail['revision'])).toEqual([1, 1, 1, 2, 3]);
  });

  it('asks for a retry of the whole batch when the bus cannot be reached', async () => {
    const telemetry = recordingTelemetry();
    const publish = publishChanges({ bus: { publish: unavailable }, telemetry });

    expect(await publish(calls(3))).toBe('s0');
    expect(telemetry.counts).toMatchObject({ EventsPublished: 0 });
    expect(telemetry.places()).toEqual(['bus']);
  });

  it('treats an event without an answer as rejected', async () => {
    const publish = publishChanges({ bus: { publish: async () => [true] }, telemetry: recordingTelemetry() });

    expect(await publish(calls(3))).toBe('s1');
  });

  it.each([
    { kind: 'call' },
    { kind: 'agent', agentId: 'asha' },
    { kind: 'feed-change', status: 'starting' },
    { kind: 'recording', status: 'archived' },
  ])('skips a row that Callfeed did not write, and reports it: %o', async (row) => {
    const { publish, bus, telemetry } = publisher();
    const foreign = { sequence: 'x', after: { pk: 'y', ...row } };

    expect(await publish([newCall(1), foreign, newCall(2)])).toBeUndefined();
    expect(idsOf(bus.sent())).toEqual(['1', '2']);
    expect(telemetry.places()).toEqual(['row']);
    expect(telemetry.counts).toMatchObject({ RowsSkipped: 1, EventsPublished: 2 });
  });

  it('publishes a row again that was removed and written again, or that is replayed', async () => {
    const { publish, bus } = publisher();
    const { after } = newCall(1);
    const replayed = { ...after, replayedAt: '2026-11-20T06:00:03.000Z' };
    const changes = [{ after }, { before: after }, { after }, { before: after, after: replayed }];
    for (const [index, change] of changes.entries()) await publish([{ sequence: String(index), ...change }]);

    expect(bus.sent().map(({ detail }) => detail.replayedAt)).toEqual([undefined, undefined, replayed.replayedAt]);
  });

  it('remembers 10,000 events and then forgets them, to bound its memory', async () => {
    const { publish, bus } = publisher();
    const { after } = newCall(1);
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      sequence: `s${index}`,
      after: { ...after, callId: `many-${index}` },
    }));

    await publish(many.slice(0, 10_000));
    await publish(many.slice(0, 1));
    expect(bus.sent()).toHaveLength(10_000);

    await publish(many.slice(10_000));
    await publish(many.slice(0, 1));
    expect(bus.sent()).toHaveLength(10_002);
  });
});

describe('publishChanges, for a change with two events', () => {
  const asha = loggedIn('2026-11-20T06:00:00.000Z');
  const then = moment('2026-11-20T06:00:15.000Z');
  const both = changeOf(asha, agentFacts({ AgentState: 'ACW', AgentName: 'Asha' }), then)?.after;
  const changes = [agentChange(undefined, asha, 's1'), agentChange(asha, both, 's2')];
  const typesOf = (events: readonly BusEvent[]) => events.map(({ type }) => type);

  it.each([
    ['first', 'Agent State Changed', ['Agent State Changed', 'Agent State Changed', 'Agent Details Changed']],
    ['second', 'Agent Details Changed', ['Agent State Changed', 'Agent Details Changed', 'Agent Details Changed']],
  ])(
    'retries the change in order where the bus rejected its %s event, and repeats no other',
    async (_nth, rejected, types) => {
      let isUp = false;
      const { publish, bus } = publisher(({ type }) => isUp || type !== rejected);

      expect(await publish(changes)).toBe('s2');
      isUp = true;
      expect(await publish(changes.slice(1))).toBeUndefined();
      expect(await publish(changes)).toBeUndefined();
      expect(bus.calls.map(typesOf)).toEqual([['Agent Logged In'], ...types.map((type) => [type])]);
    },
  );
});

describe('noteReceipts', () => {
  const at = (time: string) => `2026-11-20T06:${time}.000Z`;
  const call = (receivedAt: string, more: object = {}, account = 'demo') =>
    ({ kind: 'call', account, deliveries: [{ receivedAt, ...more }] }) as const;
  const newRow = (row: object) => ({ sequence: '1', after: { ...row } });

  /** Notes batches at their times, and answers what was written. */
  const noted = async (...batches: readonly (readonly [now: string, change: object, isRejected?: boolean])[]) => {
    const written: (readonly string[])[] = [];
    let now = '';
    const telemetry = recordingTelemetry();
    const note = noteReceipts({
      telemetry,
      clock: () => new Date(now),
      receipts: { advance: async (...write) => void written.push(write) },
    });
    for (const [time, change, isRejected = false] of batches) {
      now = time;
      await note([change as never], { isRejected });
    }
    expect(telemetry.faults).toEqual([]);
    return written;
  };

  const received = (now: string, receivedAt: string, more: object = {}, account = 'demo') =>
    [at(now), newRow(call(at(receivedAt), more, account))] as const;
  const last = (time: string, account = 'demo') => [account, 'lastReceivedAt', at(time)];
  const heldUp = (time: string) => ['demo', 'heldUpAt', at(time)];
  const recovered = (time: string) => ['demo', 'recoveredAt', at(time)];
  /** A change of a row that was written so early. */
  const written = (time: string, [now, change]: ReturnType<typeof received>) =>
    [now, { ...change, writtenMs: Date.parse(at(time)) }] as const;
  const first = call(at('00:00'));
  const odd = { ...first, deliveries: [{ receivedAt: 'x' }, { receivedAt: at('00:00') }] };
  const revised = { ...newRow(call(at('00:30'))), before: first };

  it.each<[string, readonly (readonly [string, object, boolean?])[], readonly (readonly string[])[]]>([
    ['a new call', [received('00:01', '00:00')], [last('00:00')]],
    ['a new delivery of a call', [[at('00:31'), revised]], [last('00:30')]],
    ['no delivery, as for a replay', [[at('09:00'), { ...newRow(first), before: first }]], []],
    ['a delivery beside one whose time nobody can read', [[at('00:01'), newRow(odd)]], [last('00:00')]],
    ['what the call report told', [received('00:01', '00:00', { source: 'report' })], []],
    ['a change of an agent', [[at('00:01'), newRow({ kind: 'agent', account: 'demo' })]], []],
    [
      'a second one within the minute, and one after it',
      [received('00:01', '00:00'), received('00:59', '00:59'), received('01:00', '01:00')],
      [last('00:00'), last('01:00')],
    ],
    [
      'another account within the minute',
      [received('00:01', '00:00'), received('00:02', '00:01', {}, 'other')],
      [last('00:00'), last('00:01', 'other')],
    ],
    ['a receipt while the bus is down', [[...received('00:01', '00:00'), true]], [last('00:00'), heldUp('00:01')]],
    ['a receipt that was read late', [written('00:00', received('02:01', '00:00'))], [last('00:00'), heldUp('02:01')]],
    [
      'a receipt that had been parked, which is no fault of the bus',
      [written('02:00', received('02:01', '00:00'))],
      [last('00:00'), recovered('02:01')],
    ],
    [
      'a parked receipt while the bus is down',
      [[...written('02:00', received('02:01', '00:00')), true]],
      [last('00:00'), heldUp('02:01')],
    ],
    [
      'a receipt that was read two minutes later, which is not late',
      [written('00:00', received('02:00', '00:00'))],
      [last('00:00')],
    ],
    [
      'several receipts of a batch, of which the latest was read in time',
      [written('01:00', received('02:01', '00:00')), written('02:00', received('02:01', '01:59'))],
      [last('00:00'), recovered('02:01'), last('01:59')],
    ],
    ['a row that was removed', [[at('00:01'), { sequence: '1', before: first }]], []],
    ['a receipt by a clock that is ahead', [received('00:01', '05:00')], [last('00:01')]],
  ])('writes for %s', async (_title, batches, written) => {
    expect(await noted(...batches)).toEqual(written);
  });

  it('tries again after a minute where the table is down', async () => {
    const telemetry = recordingTelemetry();
    let seconds = 0;
    const clock = () => new Date(Date.parse(at('00:00')) + seconds * 1_000);
    const note = noteReceipts({ telemetry, clock, receipts: { advance: unavailable } });
    for (seconds of [0, 30, 59, 60]) await note([newRow(call(clock().toISOString()))], { isRejected: false });

    expect(telemetry.places()).toEqual(['agent-store', 'agent-store']);
  });
});

describe('the latest callback, as deployed', () => {
  const lastReceivedAt = expect.any(String);
  const heldUpAt = expect.any(String);

  it.each<[string, readonly Part[], object | undefined, events: number]>([
    ['is dated in its row', [], { lastReceivedAt, heldUpAt: undefined }, 1],
    ['is dated though the bus is down, as is that the publisher is behind', ['bus'], { lastReceivedAt, heldUpAt }, 0],
    ['is not dated while the table is down, and is published all the same', ['table'], undefined, 1],
  ])('%s', async (_title, down, receipts, events) => {
    const around = await startSurroundings(down);
    await stored()(around);
    const lines: string[] = [];
    const invoke = await loadDeployed(around, 'publish-changes', {}, (text) => lines.push(text));
    await invoke(streamed(around, 1));

    const row = around.world.rows('agents').find(({ pk }) => pk === 'demo#callbacks');
    expect(row && { lastReceivedAt: row['lastReceivedAt'], heldUpAt: row['heldUpAt'] }).toEqual(receipts);
    expect(around.world.events()).toHaveLength(events);
    const places = { table: 'agent-store', bus: 'bus' };
    for (const [part, where] of Object.entries(places))
      expect(lines.join('').includes(`"where":"${where}"`)).toBe(down.some((name) => name === part));
  });
});

describe('a callback whose event comes three minutes late', () => {
  const wait = (d: Deployment) => d.advance(180_000);
  it.each<[string, (d: Deployment) => Promise<unknown>, shows: string]>([
    [
      'because its table took no calls shows that it was parked',
      (d) => d.fail('calls').during(() => d.post(late)),
      'recoveredAt',
    ],
    ['because nobody read the stream shows that the publisher is behind', (d) => d.post(late), 'heldUpAt'],
  ])('%s', async (_title, post, shows) => {
    const d = await deployment();
    await post(d);
    wait(d);
    await d.settled();

    const row = (await d.rows('agents')).find(({ pk }) => pk === 'demo#callbacks') ?? {};
    expect(await d.events('42')).toHaveLength(1);
    expect(['heldUpAt', 'recoveredAt'].filter((instant) => row[instant] !== undefined)).toEqual([shows]);
  });
});

const event = (id: string): BusEvent => ({
  type: 'Call Summary Recorded',
  key: id,
  detail: { id, recordedAt: '2026-11-20T06:00:01.000Z' },
});

describe('eventBridgeBus', () => {
  it('puts each event with our source, its type and the time it was recorded', async () => {
    const { client, sent } = scriptedClient<EventBridgeClient>(() => ({ Entries: [{ EventId: 'e1' }] }));

    expect(await eventBridgeBus(client, 'bus').publish([event('1')])).toEqual([true]);

    expect(sent[0]?.input).toEqual({
      Entries: [
        {
          EventBusName: 'bus',
          Source: 'callfeed',
          DetailType: 'Call Summary Recorded',
          Time: new Date('2026-11-20T06:00:01.000Z'),
          Detail: '{"id":"1","recordedAt":"2026-11-20T06:00:01.000Z"}',
        },
      ],
    });
  });

  it.each([
    ['one that is rejected', { Entries: [{ EventId: 'e1' }, { ErrorCode: 'ThrottlingException' }] }, [true, false]],
    ['one without an answer', { Entries: [{ EventId: 'e1' }] }, [true, false]],
    ['all, without any answer', {}, [false, false]],
  ])('answers which entries of a successful call are not published: %s', async (_which, answer, published) => {
    const { client } = scriptedClient<EventBridgeClient>(() => answer);

    expect(await eventBridgeBus(client, 'bus').publish([event('1'), event('2')])).toEqual(published);
  });
});
