import { BatchWriteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { addDays, startOfDay } from '../../../lib/core/time.ts';
import { type Item, type Row, unmarshalled } from '../../../lib/storage/rows.ts';
import { type Calendar, createCalendar } from '../../../sandbox/demo/calendar.ts';
import { type Filling, fillFrom, fillOlder, makeUpFor } from '../../../sandbox/demo/fill-days.ts';
import { createPastDeployment } from '../../../sandbox/demo/past-deployment.ts';
import { play } from '../../../sandbox/demo/play.ts';
import { type OutcomeStore, storeOutcome } from '../../../sandbox/demo/store-outcome.ts';
import { tableNames } from '../../../sandbox/frame/local-aws.ts';
import { createPlayedRows } from '../../../sandbox/stream/played-rows.ts';

const account: Account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata', token: { kind: 'none' } };
/** A Monday, with the Saturday as the older day: at a weekend fewer agents have to be played. */
const today = '2026-11-16';
const [saturday, sunday] = [addDays(today, -2), addDays(today, -1)];
const midnightOf = (date: string): number => Date.parse(startOfDay(date, account.timeZone));
const minute = 60_000;
const planned = createCalendar({ seed: 1, startedOn: today, account });

/** The last post of the older day comes once more on the day after, as none of the plan does. It changes nothing then. */
const [lastPost] = planned.postsBetween(midnightOf(saturday), midnightOf(sunday)).slice(-1);
if (lastPost === undefined) throw new Error('Nothing is posted on that Saturday.');
const late = { ...lastPost, at: midnightOf(sunday) + 10 * minute };
const calendar: Calendar = {
  ...planned,
  postsBetween: (after, until) =>
    [...planned.postsBetween(after, until), ...(after < late.at && late.at <= until ? [late] : [])].toSorted(
      (one, other) => one.at - other.at,
    ),
};

/** The first run ends on Monday between two posts of one call, and a later one begins some time after. */
const morning = midnightOf(today) + 9 * 60 * minute;
const byCall = Map.groupBy(planned.postsBetween(morning, morning + 60 * minute), ({ callId }) => callId);
const [firstOf, secondOf] = [...byCall.values()].find(({ length }) => length > 1) ?? [];
if (firstOf === undefined || secondOf === undefined) throw new Error('No call is posted twice in that hour.');
const stoppedAt = Math.floor((firstOf.at + secondOf.at) / 2);
const continuedAt = stoppedAt + 20 * minute;

const signal = new AbortController().signal;
const newPast: Filling['newPast'] = (stored) =>
  createPastDeployment({
    accounts: [{ ...account, baseUrl: 'http://127.0.0.1' }],
    callbackSecret: undefined,
    stored,
    loggedIn: (_, at) => calendar.loggedIn(at),
  });

const keyOf = (pk: unknown, sk: unknown): string => `${pk} ${sk}`;

/** Tables and a bus that keep what they are sent, as far as a demonstration uses them. */
const createKeeper = () => {
  const tables: Readonly<Record<string, Map<string, Item>>> = {
    [tableNames.calls]: new Map<string, Item>(),
    [tableNames.agents]: new Map<string, Item>(),
  };
  const published: string[] = [];
  const write = ({ RequestItems = {} }: BatchWriteItemCommand['input']): void => {
    for (const [table, requests] of Object.entries(RequestItems))
      for (const { PutRequest, DeleteRequest } of requests) {
        const key = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
        const name = keyOf(key['pk']?.S, key['sk']?.S);
        if (PutRequest?.Item === undefined) tables[table]?.delete(name);
        else tables[table]?.set(name, PutRequest.Item);
      }
  };
  const query = ({ TableName = '', ExpressionAttributeValues = {} }: QueryCommand['input']): readonly Item[] =>
    [...(tables[TableName]?.values() ?? [])].filter(({ pk }) => pk?.S === ExpressionAttributeValues[':pk']?.S);
  const send = async (command: unknown) => {
    if (command instanceof BatchWriteItemCommand) write(command.input);
    else if (command instanceof QueryCommand) return { Items: query(command.input) };
    else if (command instanceof PutEventsCommand) {
      const { Entries = [] } = command.input;
      published.push(...Entries.map(({ DetailType, Detail }) => `${DetailType} ${Detail}`));
      return { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'any' })) };
    } else throw new Error(`Nothing answers ${command?.constructor.name}.`);
    return {};
  };
  const rowsOf = (table: string): ReadonlyMap<string, Row> =>
    new Map(
      [...(tables[table] ?? [])]
        .map(([key, item]) => [key, unmarshalled(item)] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  // A fake client has none of the overloads of `send`.
  const client = { send } as unknown as OutcomeStore['dynamodb'] & OutcomeStore['eventbridge'];
  return {
    store: { dynamodb: client, eventbridge: client, played: createPlayedRows() },
    calls: () => rowsOf(tableNames.calls),
    agents: () => rowsOf(tableNames.agents),
    published: (): readonly string[] => published.toSorted(),
  };
};

type Kept = Pick<ReturnType<typeof createKeeper>, 'calls' | 'agents' | 'published'>;

const fillingOf = ({ store }: ReturnType<typeof createKeeper>, now = stoppedAt): Filling => ({
  calendar,
  account: account.userName,
  newPast,
  store: Promise.resolve(store),
  now: () => now,
  signal,
  onDay: () => undefined,
});
const older = { first: saturday, last: saturday, isWanted: () => true };

/** What comes of playing without a break, from Saturday on. */
const played = async (until: number): Promise<Kept> => {
  const keeper = createKeeper();
  const past = newPast({ calls: [], agents: [] });
  await play(past, calendar, { after: midnightOf(saturday), until }, signal);
  await storeOutcome(keeper.store, past.takeOutcome(), signal);
  return keeper;
};

const without = (rows: ReadonlyMap<string, Row>, others: ReadonlyMap<string, Row>): readonly Row[] =>
  [...rows].flatMap(([key, row]) => (others.has(key) ? [] : [row]));
/** A filled feed begins four hours before its first day. Its version counts the polls. */
const withoutBegin = ({ statusSince: _since, version: _version, ...row }: Row): Row => row;
/** A snapshot has its agents in no order. */
const inOrder = (row: Row): Row =>
  Array.isArray(row['agents'])
    ? { ...row, agents: row['agents'].toSorted((one, other) => (one.agentId < other.agentId ? -1 : 1)) }
    : row;
const kindsOf = (rows: readonly Row[]) => [...new Set(rows.map(({ kind }) => kind))].toSorted();

describe('an older day that is filled', () => {
  const filled = createKeeper();
  let whole: Kept;

  beforeAll(async () => {
    whole = await played(midnightOf(sunday));
    await fillOlder(fillingOf(filled), older);
  });

  it('has the calls of that day, but the one that is posted again on the day after', () => {
    const left = without(whole.calls(), filled.calls());

    expect(left.map(({ callId }) => callId)).toEqual([late.callId]);
    expect(filled.calls().size).toBeGreaterThan(100);
    for (const [key, row] of filled.calls()) expect(row).toEqual(whole.calls().get(key));
  });

  it('has the snapshots and intervals of that day, but no present and no interval that goes on', () => {
    const left = without(whole.agents(), filled.agents());
    const open = left.filter(({ kind }) => kind === 'interval');

    expect(kindsOf(left)).toEqual(['accounts', 'agent', 'callbacks', 'feed', 'interval']);
    expect(open).toHaveLength(1);
    for (const row of open) expect(row).not.toHaveProperty('to');
    expect(filled.agents().size).toBeGreaterThan(100);
    for (const [key, row] of filled.agents()) expect(row).toEqual(whole.agents().get(key));
  });

  it('has every event of that day', () => {
    expect(filled.published().length).toBeGreaterThan(100);
    expect(filled.published()).toEqual(whole.published());
  });
});

describe('days that are filled from the newest on, with a stop', () => {
  const filled = createKeeper();
  let whole: Kept;

  beforeAll(async () => {
    whole = await played(continuedAt);
    expect(await fillFrom(fillingOf(filled), sunday)).toBe(stoppedAt);
    expect(await makeUpFor(fillingOf(filled, continuedAt), stoppedAt, saturday)).toBe(continuedAt);
    await fillOlder(fillingOf(filled), older);
  });

  it('have the calls of playing without a break', () => {
    expect(filled.calls().get(keyOf(`demo#${secondOf.callId}`, 'call'))).toMatchObject({ revision: 2 });
    expect([...filled.calls().values()]).toEqual([...whole.calls().values()]);
  });

  it('have its agents; only the feed is live since another instant', () => {
    const comparable = (rows: ReadonlyMap<string, Row>) =>
      [...rows.values()].map((row) => (row['kind'] === 'feed' ? withoutBegin(row) : inOrder(row)));

    expect(comparable(filled.agents())).toEqual(comparable(whole.agents()));
  });

  it('have its events', () => {
    expect(filled.published()).toEqual(whole.published());
  });
});
