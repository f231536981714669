import * as z from 'zod';
import { Envelope } from '../../lib/contract/envelope.ts';
import { field, instant, text } from '../../lib/contract/field.ts';
import * as contract from '../../lib/contract/rows.ts';
import { FeedChange } from '../../lib/feed/feed-change.ts';

const pk = field(text, 'Partition key.');
const sk = field(text, 'Sort key.');
const expiresAt = field(z.int().positive(), 'From when DynamoDB may delete the row.');
const writes = field(z.int().positive(), 'Counts the writes of the row; not for readers.');
const ofKind = (kind: string) => ({ pk, sk, kind: field(z.literal(kind), 'What kind of row this is.') });

const listed = {
  accountCalls: field(text, 'Partition key of `byTime`.'),
  customerCalls: field(text.optional(), 'Partition key of `byCustomer`.'),
  agentCalls: field(text.optional(), 'Partition key of `byAgent`: of the call’s first agent.'),
  listedAt: contract.ListedCall.shape.listedAt,
};

const whole = (title: string, ...shapes: readonly z.core.$ZodLooseShape[]) =>
  z.object(Object.assign({}, ...shapes)).meta({ title });

/** A row as it lies in its table: what readers are promised, with keys and what else is stored beside it. */
export const storedRows: Readonly<Record<keyof typeof contract.rows, z.ZodObject>> = {
  Call: whole('Call', ofKind('call'), listed, contract.Call.shape, { version: writes, expiresAt }),
  CallParticipant: whole('Call participant', ofKind('participant'), contract.CallParticipant.shape, {
    version: writes,
    expiresAt,
  }),
  ListedCall: whole(
    'Listed call',
    { pk, sk },
    {
      ...listed,
      accountCalls: listed.accountCalls.optional(),
      agentCalls: field(text.optional(), 'Partition key of `byAgent`.'),
    },
    contract.ListedCall.shape,
    {
      kind: field(z.literal('agent-entry').optional(), 'Of the entry of a further agent in the table; in no index.'),
      expiresAt: field(expiresAt.optional(), 'From when DynamoDB may delete the row; in no index.'),
    },
  ),
  AgentNow: whole(
    'Agent now',
    ofKind('agent'),
    { agentsInState: field(text.optional(), 'Partition key of `byState`; none once `logged-out`.') },
    contract.AgentNow.shape,
    { stretchFrom: field(instant, 'When the present stretch of the timeline begins.') },
  ),
  AgentInState: whole(
    'Agent in a state',
    { pk, sk, agentsInState: field(text, 'Partition key of `byState`.') },
    contract.AgentInState.shape,
  ),
  FeedNow: whole('Feed now', ofKind('feed'), contract.FeedNow.shape, {
    poller: field(z.record(z.string(), z.unknown()), 'The poller’s own notes; they may change at any time.'),
  }),
  AgentStretch: whole('Agent stretch', ofKind('interval'), contract.AgentStretch.shape, { expiresAt }),
  PastFloor: whole('Past floor', ofKind('floor'), contract.PastFloor.shape, { expiresAt }),
  FeedChange: whole('Feed change', ofKind('feed-change'), FeedChange.shape, {
    replayedAt: Envelope.replayedAt,
    expiresAt,
  }),
};

/** The name of a readable row. */
export type RowName = keyof typeof storedRows;

/** Whether a readable row has that name. */
export const isRowName = (name: string): name is RowName => Object.hasOwn(storedRows, name);
