import {
  afterSnapshot,
  agentKey,
  agentsKey,
  feedChangesKey,
  snapshotsKey,
  stateKey,
  timelineKey,
} from '../../lib/agents/rows.ts';
import { partitionKey } from '../../lib/calls/call-keys.ts';
import { joinedKey } from '../../lib/storage/rows.ts';
import type { RowName } from './schemas.ts';

/** Attribute values in DynamoDB's own JSON. */
type Values = Readonly<Record<string, { readonly S: string }>>;

/** One request that answers one question, with values from the examples. */
export interface AccessPattern {
  readonly question: string;
  readonly table: 'calls' | 'agents';
  /** The key condition in words. */
  readonly key: string;
  readonly request:
    | { readonly operation: 'get-item'; readonly input: { readonly Key: Values } }
    | { readonly operation: 'query'; readonly input: QueryInput };
  /** The kinds of row that it returns. */
  readonly rows: readonly RowName[];
  readonly advice?: string;
}

interface QueryInput {
  readonly IndexName?: string;
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeValues: Values;
  readonly ScanIndexForward?: false;
  readonly Limit?: number;
}

const account = 'demo';
/** A day in India, to its last millisecond. */
const [dayBegins, dayEnds] = ['2026-11-19T18:30:00.000Z', '2026-11-20T18:29:59.999Z'];

const valuesOf = (values: Readonly<Record<string, string>>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, S]) => [`:${name}`, { S }]));

const query = (condition: string, values: Readonly<Record<string, string>>, more: Partial<QueryInput> = {}) =>
  ({
    operation: 'query',
    input: { ...more, KeyConditionExpression: condition, ExpressionAttributeValues: valuesOf(values) },
  }) as const;

const newestFirst = { ScanIndexForward: false } as const;

/** The questions of readers, in the order of the page. */
export const accessPatterns: readonly AccessPattern[] = [
  {
    question: 'All agents of an account now, and how old that data is',
    table: 'agents',
    key: '`pk = account`',
    request: query('pk = :account', { account: agentsKey(account) }),
    rows: ['AgentNow', 'FeedNow'],
    advice:
      'The last row is the feed’s, with `sk = feed`. The other rows are true for its `asOf`, and stale once `staleAt` has ' +
      'passed. A row whose `state` is `logged-out` is about to be deleted: skip it.',
  },
  {
    question: 'One agent now',
    table: 'agents',
    key: '`pk = account`, `sk = agent#agentId`',
    request: {
      operation: 'get-item',
      input: { Key: { pk: { S: agentKey(account, 'asha').pk }, sk: { S: agentKey(account, 'asha').sk } } },
    },
    rows: ['AgentNow'],
    advice:
      'An agent who is not logged in has no row. The row does not have its own age: read the feed’s row for that.',
  },
  {
    question: 'The agents in a state now, the longest in it first',
    table: 'agents',
    key: 'index `byState`: `agentsInState = account#state`',
    request: query('agentsInState = :state', { state: stateKey(account, 'ready') }, { IndexName: 'byState' }),
    rows: ['AgentInState'],
  },
  {
    question: 'All agents at a past instant',
    table: 'agents',
    key: '`pk = account#floor`, `sk <= instant#~`, backwards, `Limit` 1',
    request: query(
      'pk = :snapshots AND sk <= :instant',
      { snapshots: snapshotsKey(account), instant: afterSnapshot('2026-11-20T05:30:40.000Z') },
      { ...newestFirst, Limit: 1 },
    ),
    rows: ['FloorSnapshot'],
    advice:
      'The newest snapshot up to the instant shows that instant. If its `status` is `interrupted`, it shows what was ' +
      'known at its `asOf`. If `parts` is above 1, read on backwards until you have that many; all have the same `at`. ' +
      'Ask for instants up to the feed’s `asOf`: a newer snapshot may still be on its way.',
  },
  {
    question: 'An agent’s day, with the time in each state',
    table: 'agents',
    key: '`pk = account#agent#agentId`, `sk` between one midnight and the last millisecond before the next',
    request: query('pk = :timeline AND sk BETWEEN :from AND :to', {
      timeline: timelineKey(account, 'asha'),
      from: dayBegins,
      to: dayEnds,
    }),
    rows: ['AgentInterval'],
    advice:
      'Midnights are those of the account’s zone, in UTC. Intervals end at midnight, so that `seconds` add up to the time ' +
      'logged in on that day. The open interval has no `to` and no `seconds`: it is known up to the feed’s `asOf`.',
  },
  {
    question: 'One call with its legs, participants and deliveries',
    table: 'calls',
    key: '`pk = account#callId`',
    request: query('pk = :call', { call: partitionKey(account, '41781234567890123') }),
    rows: ['Call', 'CallParticipant'],
    advice: 'The `sk` of the call is `call`, and that of a participant begins with `participant#`.',
  },
  {
    question: 'An account’s calls in a range of time, newest first',
    table: 'calls',
    key: 'index `byTime`: `accountCalls = account`, `listedAt` between two instants',
    request: query(
      'accountCalls = :account AND listedAt BETWEEN :from AND :to',
      { account: joinedKey(account), from: dayBegins, to: dayEnds },
      { IndexName: 'byTime', ...newestFirst },
    ),
    rows: ['ListedCall'],
    advice:
      'For pages, set `Limit`, and pass the `LastEvaluatedKey` of one answer to the next request as `ExclusiveStartKey`.',
  },
  {
    question: 'The calls that were recorded late, by when they were recorded',
    table: 'calls',
    key: 'index `byLateRecording`: `lateCalls = account`, `firstRecordedAt` between two instants',
    request: query(
      'lateCalls = :account AND firstRecordedAt BETWEEN :from AND :to',
      { account: joinedKey(account), from: '2026-11-20T19:30:00.000Z', to: '2026-11-21T19:29:59.999Z' },
      { IndexName: 'byLateRecording', ...newestFirst },
    ),
    rows: ['ListedCall'],
    advice:
      'Has the calls that were first recorded more than an hour after their `listedAt`, or more than five minutes before ' +
      'it. An export of yesterday’s calls by their start, an hour or more after midnight, has all others; add the late ' +
      'ones since the export before. A row may be written up to a minute after its `firstRecordedAt`, so end a range a ' +
      'minute ago. Calls from before the index existed are not in it.',
  },
  {
    question: 'The calls of a customer’s number, newest first',
    table: 'calls',
    key: 'index `byCustomer`: `customerCalls = account#number`',
    request: query(
      'customerCalls = :customer',
      { customer: joinedKey(account, '09000000042') },
      { IndexName: 'byCustomer', ...newestFirst },
    ),
    rows: ['ListedCall'],
    advice: 'The number is written as it was sent, digit for digit: with `+91` before it, it is another key.',
  },
  {
    question: 'The calls of an agent, newest first, transfers included',
    table: 'calls',
    key: 'index `byAgent`: `agentCalls = account#agentId`',
    request: query(
      'agentCalls = :agent',
      { agent: joinedKey(account, 'ravi') },
      { IndexName: 'byAgent', ...newestFirst },
    ),
    rows: ['ListedCall'],
    advice: 'A call of several agents is listed under each of them, up to 50.',
  },
  {
    question: 'When the feed was interrupted and restored',
    table: 'agents',
    key: '`pk = account#feed`, `sk` between two instants',
    request: query('pk = :feed AND sk BETWEEN :from AND :to', {
      feed: feedChangesKey(account),
      from: dayBegins,
      to: dayEnds,
    }),
    rows: ['FeedChange'],
  },
];
