import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import type { Context } from '../../cli/frame/command.ts';
import type { Deployment } from '../../cli/frame/deployment.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import type { QuarantineEntry } from '../../lib/callback/schema.ts';
import { quarantineRow } from '../../lib/callback/store-or-park.ts';
import { allRows } from '../support/dynamodb-local.ts';
import { decompressed } from '../support/posted-records.ts';
import { demoCall } from '../support/sandbox.ts';
import { cli } from './support/cli-run.ts';
import { account, forThisFile, startDeployment } from './support/local-deployment.ts';

const deployment = await forThisFile(startDeployment());

/** The calls to AWS of one process, which dies once `survived` of them are done: whatever it calls next never happens. */
const processThatDies = (survived: number, connectTo: () => Promise<Deployment>) => {
  const calls: string[] = [];
  const death = Promise.withResolvers<void>();
  const send = (client: { send: (...args: never[]) => Promise<unknown> }) => {
    const alive = client.send.bind(client);
    client.send = async (...args) => {
      if (calls.length === survived) {
        death.resolve();
        return new Promise(() => undefined);
      }
      calls.push(Object(args[0]).constructor.name);
      return alive(...args);
    };
  };
  const connect: Context['connect'] = async () => {
    const connected: Deployment = await connectTo();
    send(connected.dynamodb as never);
    send(connected.sqs as never);
    // Small pages, so that a process can die between two of them.
    connected.dynamodb.middlewareStack.add(
      (next, { commandName }) =>
        (args) =>
          next(commandName === 'ScanCommand' ? { ...args, input: { ...args.input, Limit: 2 } } : args),
      { step: 'initialize' },
    );
    return connected;
  };
  return { calls, connect, death: death.promise };
};

const run = async (
  args: readonly string[],
  survived = Number.POSITIVE_INFINITY,
  connectTo: () => Promise<Deployment> = () => deployment.connect(),
) => {
  const { calls, connect, death } = processThatDies(survived, connectTo);
  const done = await Promise.race([cli(args, { connect }), death.then(() => undefined)]);
  return { calls, done };
};

/** Lets a process die after each of its calls in turn, and answers how many there are. */
const atEachCrashPoint = async (attempt: (survived: number, point: string) => Promise<{ readonly died: boolean }>) => {
  for (let survived = 0; ; survived += 1)
    if (!(await attempt(survived, `after ${survived} calls`)).died) return survived;
};

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('dead-letters redrive', () => {
  // With a limit the command moves them itself.
  const redrive = ['dead-letters', 'redrive', 'parked', '--limit', '99'];
  const bodies = ['a', 'b', 'c'];

  it('loses no message wherever it dies, and doubles at most the one that it was moving', async () => {
    const { deadLetters, parking } = deployment.queues;
    const all = () => [...deadLetters.messages(), ...parking.messages()].map(({ body }) => body);

    const points = await atEachCrashPoint(async (survived, point) => {
      for (const { receipt = '' } of parking.receive(bodies.length + 1)) parking.remove(receipt);
      for (const body of bodies) deadLetters.send(body, {}, 0);
      const { done } = await run(redrive, survived);

      expect(new Set(all()), `lost ${point}`).toEqual(new Set(bodies));
      expect(all().length, `doubled ${point}`).toBeLessThanOrEqual(bodies.length + 1);
      // The messages that it had received come back once their visibility timeout has passed.
      deployment.advance(120_000);
      expect((await run(redrive)).done).toMatchObject({ code: 0 });
      expect(deadLetters.messages(), point).toEqual([]);
      const moved = parking.messages().map(({ body }) => body);
      expect(new Set(moved), point).toEqual(new Set(bodies));
      expect(moved.length, point).toBeLessThanOrEqual(bodies.length + 1);
      return { died: done === undefined };
    });

    // A receive, a send and a delete for each message, and a receive that finds nothing.
    expect(points).toBe(2 + 2 * bodies.length);
  });
});

describe('quarantine redrive', () => {
  const put = async (body: string): Promise<string> => {
    const entry = { reason: 'not-a-call-summary', account: 'demo', body, receivedAt: '2026-11-20T06:00:00.000Z' };
    const row = quarantineRow(entry as QuarantineEntry, 30);
    await deployment.put('quarantine', row);
    return row.id;
  };
  const isQuarantined = async (id: string) => {
    const { tableNames, client } = deployment.tables;
    const Key = marshall({ id });
    return (
      (await client.send(new GetItemCommand({ TableName: tableNames.quarantine, Key, ConsistentRead: true }))).Item !==
      undefined
    );
  };
  const deliveriesOf = async (callId: number) => {
    const found = await cli(['call', String(callId), '--json'], { connect: deployment.connect });
    return found.code === 1 ? 0 : JSON.parse(found.output).call.deliveries.length;
  };

  it('loses no call wherever it dies, and stores each once', async () => {
    let next = 600_000;
    const points = await atEachCrashPoint(async (survived, point) => {
      const calls = numbersFrom(next, 3);
      next += calls.length;
      const [first = 0, ...pair] = calls;
      const list = [...pair.map((callId) => demoCall(String(callId))), { odd: first }];
      const entries = [
        { id: await put(JSON.stringify(demoCall(String(first)))), calls: [first] },
        { id: await put(JSON.stringify(list)), calls: pair },
      ];
      const ids = entries.map(({ id }) => id);
      const { done } = await run(['quarantine', 'redrive', ...ids], survived);

      for (const { id, calls } of entries)
        for (const callId of calls)
          expect((await isQuarantined(id)) || (await deliveriesOf(callId)) === 1, `lost ${point}`).toBe(true);
      // Exit code 1 where an entry was redriven before the crash: its id no longer exists.
      await run(['quarantine', 'redrive', ...ids]);
      for (const callId of calls) expect(await deliveriesOf(callId), point).toBe(1);
      expect(await Promise.all(ids.map(isQuarantined)), point).toEqual([false, false]);
      // Of each attempt, only the record that is still rejected stays, once.
      const { output } = await cli(['quarantine', 'list', '--json'], { connect: deployment.connect });
      expect(output.trim().split('\n'), point).toHaveLength(survived + 1);
      return { died: done === undefined };
    });

    // For each entry a read, a put for each of its records, and a delete.
    expect(points).toBe(2 + 3 + 1 + 2);
  });
});

describe('replay', async () => {
  // Tables of its own: every call that the other tests stored would be one more point at which to crash.
  const deployment = await forThisFile(startDeployment());

  const calls = numbersFrom(700_000, 3);
  const keyOf = (callId: number) => ({
    TableName: deployment.tables.tableNames.calls,
    Key: marshall({ pk: `demo#${callId}`, sk: 'call' }),
  });
  const removeMark = (callId: number) =>
    deployment.tables.client.send(new UpdateItemCommand({ ...keyOf(callId), UpdateExpression: 'REMOVE replayedAt' }));
  const markOf = async (callId: number) => {
    const { Item } = await deployment.tables.client.send(
      new GetItemCommand({ ...keyOf(callId), ConsistentRead: true }),
    );
    return Item?.['replayedAt']?.S;
  };

  it('marks each row with one instant wherever it dies before it is resumed', async () => {
    for (const callId of calls) await deployment.post(demoCall(String(callId)));
    const folder = await mkdtemp(join(tmpdir(), 'callfeed-'));
    const range = ['--from', '2026-11-01', '--to', '2100-01-01', '--account', 'demo', '--rate', '1000'];

    const points = await atEachCrashPoint(async (survived, point) => {
      await Promise.all(calls.map(removeMark));
      const state = join(folder, `${survived}.json`);
      const { done } = await run(['replay', ...range, '--state', state], survived, deployment.connect);
      const resumed = done ?? (await cli(['replay', '--resume', state], { connect: deployment.connect }));

      expect(resumed, point).toMatchObject({ code: 0 });
      // The publisher makes an event when the mark changes: the same mark once more makes none.
      const marks = new Set(await Promise.all(calls.map(markOf)));
      expect([...marks], point).toEqual([expect.stringMatching(/^2\d{3}-/)]);
      return { died: done === undefined };
    });

    // At least two pages of calls, an update for each, and a query for the feed's rows.
    expect(points).toBeGreaterThanOrEqual(2 + calls.length + 1);
  });
});

describe('renormalise', () => {
  it('revises each call once, wherever it dies before it is run again', async () => {
    let next = 800_000;
    const corrected = async (): Promise<Deployment> => ({
      ...(await deployment.connect()),
      accounts: async () => accountIndex([{ ...account, timeZone: 'Europe/London' }]),
    });
    const points = await atEachCrashPoint(async (survived, point) => {
      const dayOf = (number: number) => `2026-10-${String(number).padStart(2, '0')}`;
      const day = dayOf(survived + 1);
      const calls = numbersFrom(next, 2).map(String);
      next += calls.length;
      for (const callId of calls)
        await deployment.post(demoCall(callId, { StartTime: `${day} 12:00:00`, AgentID: 'asha -> ravi' }));
      const command = ['renormalise', '--from', day, '--to', dayOf(survived + 2)];
      const { done } = await run(command, survived, corrected);
      const rest = done ?? (await cli(command, { connect: corrected }));
      const idle = await cli(command, { connect: corrected });

      expect([rest, idle], point).toMatchObject([{ code: 0 }, { code: 0, notes: '2 calls read, 0 rows revised.\n' }]);
      for (const callId of calls) {
        const { call } = JSON.parse((await cli(['call', callId, '--json'], { connect: corrected })).output);
        expect(call, point).toMatchObject({ revision: 2, startedAt: `${day}T11:00:00.000Z` });
      }
      return { died: done === undefined };
    });

    // A page of the list, and a query and a transaction for each call.
    expect(points).toBeGreaterThanOrEqual(1 + 2 * 2);
  });
});

describe('erase', () => {
  const interval = { pk: 'demo#agent#asha', sk: '2026-11-21T04:30:00.000Z', kind: 'interval', seconds: 60 };
  const snapshot = { pk: 'demo#floor', sk: '2026-11-21T04:30:00.000Z#000', kind: 'floor', counts: { ready: 1 } };
  const agent = { agentId: 'asha', name: 'Asha Rao' };
  const call = demoCall('900000', { AgentID: 'asha -> ravi', AgentName: 'Asha Rao', CallerID: '+91 98765-00000' });
  const participant = { UCID: '900000', AgentName: 'Asha Rao', Audio: 'https://x.example/98765.mp3' };
  const entry = { reason: 'too-deep', account: 'demo', body: JSON.stringify(call), receivedAt: interval.sk };

  const { client, tableNames } = deployment.tables;
  const everyRow = async () =>
    (await Promise.all(Object.values(tableNames).map((name) => allRows(client, name)))).flat();
  const empty = async () => {
    for (const TableName of Object.values(tableNames))
      for (const { pk, sk, id } of await allRows(client, TableName)) {
        const Key = marshall(pk === undefined ? { id } : { pk, sk });
        await client.send(new DeleteItemCommand({ TableName, Key }));
      }
  };
  const prepare = async () => {
    await empty();
    await deployment.post(call, participant);
    await deployment.put('quarantine', quarantineRow(entry as QuarantineEntry, 30));
    await deployment.put('agents', { ...interval, account: 'demo', agentId: 'asha' });
    await deployment.put('agents', { ...snapshot, account: 'demo', agents: [agent] });
  };
  afterAll(empty);

  it.each([
    ['a customer', ['--customer', '09876500000'], /98765/],
    ['an agent', ['--agent', 'asha'], /asha/i],
  ] as const)('erases %s and loses no row, wherever it dies before it is run again', async (_, who, personal) => {
    const points = await atEachCrashPoint(async (survived, point) => {
      await prepare();
      const { length } = await everyRow();
      const { done } = await run(['erase', ...who, '--yes'], survived);
      const rest = done ?? (await run(['erase', ...who, '--yes'])).done;

      expect(rest, point).toMatchObject({ code: 0 });
      const rows = await everyRow();
      expect(decompressed(JSON.stringify(rows)), point).not.toMatch(personal);
      expect(
        rows.filter(({ kind }) => kind !== 'erasure'),
        point,
      ).toHaveLength(length);
      expect(
        rows.find(({ kind }) => kind === 'call'),
        point,
      ).toMatchObject({ revision: 2, elapsedSeconds: 120 });
      return { died: done === undefined };
    });

    // At least a page of each table, a record before and after, and for each finding a read and a write.
    expect(points).toBeGreaterThanOrEqual(3 + 2 + 5);
  });
});
