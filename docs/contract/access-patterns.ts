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
export const dayBegins = '2026-11-19T18:30:00.000Z';
export const dayEnds = '2026-11-20T18:29:59.999Z';

const valuesOf = (values: Readonly<Record<string, string>>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, S]) => [`:${name}`, { S }]));

const query = (condition: string, values: Readonly<Record<string, string>>, more: Partial<QueryInput> = {}) =>
  ({
    operation: 'query',
    input: { ...more, KeyConditionExpression: condition, ExpressionAttributeValues: valuesOf(values) },
  }) as const;

const newestFirst = { ScanIndexForward: false } as const;

/** Every request that readers need, in the order of the page: each reads no more than it returns. */
export const requests = {
  agentsNow: {
    question: 'All agents of an account now',
    table: 'agents',
    key: '`pk = account`',
    request: query('pk = :account', { account: agentsKey(account) }),
    rows: ['AgentNow', 'FeedNow'],
  },
  agentNow: {
    question: 'One agent now',
    table: 'agents',
    key: '`pk = account`, `sk = agent#agentId`',
    request: {
      operation: 'get-item',
      input: { Key: { pk: { S: agentKey(account, 'asha').pk }, sk: { S: agentKey(account, 'asha').sk } } },
    },
    rows: ['AgentNow'],
  },
  agentsInState: {
    question: 'The agents in a state now, the longest in it first',
    table: 'agents',
    key: 'index `byState`: `agentsInState = account#state`',
    request: query('agentsInState = :state', { state: stateKey(account, 'ready') }, { IndexName: 'byState' }),
    rows: ['AgentInState'],
  },
  agentsAt: {
    question: 'All agents at a past instant',
    table: 'agents',
    key: '`pk = account#floor`, `sk <= instant#~`, backwards, `Limit` 1',
    request: query(
      'pk = :snapshots AND sk <= :instant',
      { snapshots: snapshotsKey(account), instant: afterSnapshot('2026-11-20T05:30:40.000Z') },
      { ...newestFirst, Limit: 1 },
    ),
    rows: ['FloorSnapshot'],
  },
  agentDay: {
    question: 'An agent’s day',
    table: 'agents',
    key: '`pk = account#agent#agentId`, `sk` between one midnight and the last millisecond before the next',
    request: query('pk = :timeline AND sk BETWEEN :from AND :to', {
      timeline: timelineKey(account, 'asha'),
      from: dayBegins,
      to: dayEnds,
    }),
    rows: ['AgentInterval'],
  },
  call: {
    question: 'One call with its participants',
    table: 'calls',
    key: '`pk = account#callId`',
    request: query('pk = :call', { call: partitionKey(account, '41781234567890123') }),
    rows: ['Call', 'CallParticipant'],
  },
  callsByTime: {
    question: 'An account’s calls in a range of time',
    table: 'calls',
    key: 'index `byTime`: `accountCalls = account`, `listedAt` between two instants',
    request: query(
      'accountCalls = :account AND listedAt BETWEEN :from AND :to',
      { account: joinedKey(account), from: dayBegins, to: dayEnds },
      { IndexName: 'byTime', ...newestFirst },
    ),
    rows: ['ListedCall'],
  },
  lateCalls: {
    question: 'The calls that were recorded late',
    table: 'calls',
    key: 'index `byLateRecording`: `lateCalls = account`, `firstRecordedAt` between two instants',
    request: query(
      'lateCalls = :account AND firstRecordedAt BETWEEN :from AND :to',
      { account: joinedKey(account), from: dayBegins, to: dayEnds },
      { IndexName: 'byLateRecording', ...newestFirst },
    ),
    rows: ['ListedCall'],
  },
  callsOfCustomer: {
    question: 'The calls of a customer’s number',
    table: 'calls',
    key: 'index `byCustomer`: `customerCalls = account#number`, as it was sent: one request for each spelling',
    request: query(
      'customerCalls = :customer',
      { customer: joinedKey(account, '09000000042') },
      { IndexName: 'byCustomer', ...newestFirst },
    ),
    rows: ['ListedCall'],
  },
  callsOfAgent: {
    question: 'The calls of an agent',
    table: 'calls',
    key: 'index `byAgent`: `agentCalls = account#agentId`',
    request: query(
      'agentCalls = :agent',
      { agent: joinedKey(account, 'ravi') },
      { IndexName: 'byAgent', ...newestFirst },
    ),
    rows: ['ListedCall'],
  },
  feedChanges: {
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
} as const satisfies Readonly<Record<string, AccessPattern>>;

/** The same as a list. */
export const accessPatterns: readonly AccessPattern[] = Object.values(requests);
