import * as z from 'zod';
import { FeedChange } from '../../lib/agents/schema.ts';
import { eventBridgeEvent, eventSchemas, eventTypes, openJsonSchema } from '../../lib/contract/events.ts';
import * as contract from '../../lib/contract/rows.ts';
import { Recording } from '../../lib/recordings/schema.ts';
import { Envelope } from '../../lib/storage/event.ts';
import { field, instant, nonEmpty } from '../../lib/storage/field.ts';
import { AgentLoginsInput, CallSummaryInput, ParticipantInput } from './inputs.ts';

const pk = field(nonEmpty, 'Partition key.');
const sk = field(nonEmpty, 'Sort key.');
const expiresAt = field(z.int().positive(), 'From when DynamoDB may delete the row.');
const writes = field(z.int().positive(), 'Counts the writes of the row; not for readers.');

/** What most rows have, which the page describes once. */
export const ofEveryRow = {
  pk,
  sk,
  kind: field(nonEmpty, 'What kind of row this is.'),
  account: Envelope.account,
  replayedAt: Envelope.replayedAt,
  version: writes,
  expiresAt,
};

const ofKind = (kind: string) => ({ pk, sk, kind: field(z.literal(kind), 'What kind of row this is.') });

const listed = {
  accountCalls: field(nonEmpty, 'Partition key of `byTime`.'),
  customerCalls: field(z.optional(nonEmpty), 'Partition key of `byCustomer`.'),
  agentCalls: field(z.optional(nonEmpty), 'Partition key of `byAgent`: of the call’s first agent.'),
  lateCalls: field(
    z.optional(nonEmpty),
    'Partition key of `byLateRecording`; only calls that were recorded late have it.',
  ),
  listedAt: contract.ListedCall.shape.listedAt,
};

const rowSchema = (title: string, ...shapes: readonly z.core.$ZodLooseShape[]) =>
  z.object(Object.assign({}, ...shapes)).meta({ title });

/** The rows as stored: the promised attributes, the keys, and the internal attributes. */
export const storedRows: Readonly<Record<keyof typeof contract.rows, z.ZodObject>> = {
  Call: rowSchema('Call', ofKind('call'), listed, contract.Call.shape, { version: writes, expiresAt }),
  CallParticipant: rowSchema('Call participant', ofKind('participant'), contract.CallParticipant.shape, {
    version: writes,
    expiresAt,
  }),
  ListedCall: rowSchema(
    'Listed call',
    { pk, sk },
    {
      ...listed,
      accountCalls: z.optional(listed.accountCalls),
      agentCalls: field(z.optional(nonEmpty), 'Partition key of `byAgent`.'),
    },
    contract.ListedCall.shape,
    {
      kind: field(
        z.literal('agent-entry').optional(),
        'Only on the entry of a further agent in the table; in no index.',
      ),
      expiresAt: field(expiresAt.optional(), 'From when DynamoDB may delete the row; in no index.'),
    },
  ),
  Recording: rowSchema(
    'Recording',
    ofKind('recording'),
    {
      accountCalls: field(
        z.optional(nonEmpty),
        'Partition key of `byTime`, of a recording that was asked for in vain.',
      ),
      listedAt: field(z.optional(instant), 'Since when it has been waiting, or when it was given up.'),
    },
    Recording.shape,
    { version: writes, expiresAt },
  ),
  AgentNow: rowSchema(
    'Agent now',
    ofKind('agent'),
    { agentsInState: field(z.optional(nonEmpty), 'Partition key of `byState`; none once `logged-out`.') },
    contract.AgentNow.shape,
    { intervalFrom: field(instant, 'When the open interval of the timeline began.') },
  ),
  AgentInState: rowSchema(
    'Agent in a state',
    { pk, sk, agentsInState: field(nonEmpty, 'Partition key of `byState`.') },
    contract.AgentInState.shape,
  ),
  FeedNow: rowSchema('Feed now', ofKind('feed'), contract.FeedNow.shape, {
    poller: field(z.record(z.string(), z.unknown()), 'Internal state of the poller; it may change at any time.'),
  }),
  AgentInterval: rowSchema('Agent interval', ofKind('interval'), contract.AgentInterval.shape, { expiresAt }),
  FloorSnapshot: rowSchema('Floor snapshot', ofKind('floor'), contract.FloorSnapshot.shape, { expiresAt }),
  FeedChange: rowSchema('Feed change', ofKind('feed-change'), FeedChange.shape, {
    replayedAt: Envelope.replayedAt,
    expiresAt,
  }),
};

/** The name of a row of the contract. */
export type RowName = keyof typeof storedRows;

/** Whether the contract has a row of that name. */
export const isRowName = (name: string): name is RowName => Object.hasOwn(storedRows, name);

/** A `detail-type` without spaces. */
export const schemaName = (type: string): string => type.replaceAll(' ', '');

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** From `docs`. */
export const eventSchemaPath = (type: string): string => `schemas/${schemaName(type)}.schema.json`;

/** From `docs`. */
export const rowSchemaPath = (name: string): string => `schemas/rows/${kebab(name)}.schema.json`;

/** What the telephony service may send. */
const inputSchemas = { CallSummary: CallSummaryInput, Participant: ParticipantInput, AgentLogins: AgentLoginsInput };

const schema = (path: string, declared: z.core.$ZodType) => [path, openJsonSchema(declared, 'draft-2020-12')] as const;

/** The JSON Schemas of every input, every event and every row, open to additions, by their paths from `docs`. */
export const jsonSchemas = (): ReadonlyMap<string, object> =>
  new Map([
    ...eventTypes.map((type) => schema(eventSchemaPath(type), eventBridgeEvent(type, eventSchemas[type]))),
    ...Object.entries(inputSchemas).map(([name, input]) => schema(`schemas/inputs/${kebab(name)}.schema.json`, input)),
    ...Object.entries(storedRows).map(([name, row]) => schema(rowSchemaPath(name), row)),
  ]);
