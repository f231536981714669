import type * as z from 'zod';
import { Agent } from '../../lib/agents/schema.ts';
import { CallSummary, Participant } from '../../lib/contract/call-events.ts';
import { eventSchemas, eventTypes, guideOf } from '../../lib/contract/events.ts';
import { StoredDelivery } from '../../lib/contract/rows.ts';
import { abandonedCalls, freeAgents, missedCalls, shortAbandonedCalls } from '../../lib/contract/rules.ts';
import { ArchivedRecording } from '../../lib/recordings/schema.ts';
import { Envelope } from '../../lib/storage/event.ts';
import { Note } from '../../lib/storage/field.ts';
import { accessPatterns } from './access-patterns.ts';
import type { Delivered } from './examples.ts';
import { fieldList, fieldTable, metadataOf, ownFields, titleOf, typeWords } from './field-tables.ts';
import { agentKind, callKind, participantKind } from './incoming.ts';
import { anchorOf, code, jsonBlock, markdownTable } from './markdown.ts';
import { isRowName, ofEveryRow, type RowName, storedRows } from './schemas.ts';
import { ownWordList, serviceWordLists } from './words.ts';

const fieldsOf = ({ _zod: { def } }: z.core.$ZodObject) => Object.entries<z.core.$ZodType>(def.shape);

/** The fields of an event’s detail besides the fields of every detail. */
const ownDetail = (schema: z.core.$ZodObject) => fieldsOf(schema).filter(([name]) => !Object.hasOwn(Envelope, name));

const eventTable = (): string =>
  markdownTable(
    ['Event', 'Published', 'Its `detail` has also', 'An example of a narrower rule'],
    eventTypes.map((type) => {
      const { when, narrowed } = guideOf(type);
      const names = ownDetail(eventSchemas[type]).map(([name]) => code(name));
      return [type, when, names.join(', '), `${narrowed.to}: ${code(JSON.stringify(narrowed.detail))}`];
    }),
  );

/** The fields of all details, by name and type. Where events describe one differently, the longest description counts. */
const detailFields = () => {
  const length = ([, field]: readonly [string, z.core.$ZodType]) => metadataOf(field).description?.length ?? 0;
  const all = Object.values(eventSchemas).flatMap((schema) => ownDetail(schema));
  const byType = Map.groupBy(all, ([name, field]) => `${name} ${typeWords(name, field)}`);
  return [...byType.values()].flatMap((same) => same.toSorted((one, other) => length(other) - length(one)).slice(0, 1));
};

/** The sender’s word as sent has a rule on the page instead of rows. */
const withoutAsSent = (schema: z.core.$ZodObject) =>
  fieldsOf(schema).filter(
    ([name]) => !(name.replace(/AsSent$/, '') in schema._zod.def.shape && name.endsWith('AsSent')),
  );

/** The schemas whose fields other sections describe, for the rows that share them. */
const describedBefore: Readonly<Partial<Record<RowName, readonly z.core.$ZodObject[]>>> = {
  Call: [CallSummary],
  CallParticipant: [Participant, storedRows.Call],
  ListedCall: [storedRows.Call],
  Recording: [ArchivedRecording],
  AgentNow: [Agent],
  AgentInState: [Agent],
  AgentInterval: [Agent],
};

interface RowGuide {
  readonly where: string;
  readonly description: string;
}

const callRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  Call: {
    where: 'At `pk = account#callId`, `sk = call`',
    description: 'one for each call, however it was posted, and however many legs it has.',
  },
  CallParticipant: {
    where: 'At `pk = account#callId`, `sk = participant#participantId`',
    description: 'one for each participant, in the call’s partition.',
  },
  ListedCall: {
    where: 'In the indexes `byTime`, `byCustomer`, `byAgent` and `byLateRecording`',
    description:
      'the fields that lists need, without a second read. The table itself has such a row for each further agent of a ' +
      'call (`kind` `agent-entry`), with long texts truncated to 150 characters. Read it through the index.',
  },
  Recording: {
    where: 'At `pk = account#callId#recordings`, `sk = recordingId`',
    description:
      'what became of each recording of a call, in a partition of its own. Only with `recordings=archive`. The index ' +
      '`byTime` lists recordings that were asked for in vain at `accountCalls = account#recordings#status`.',
  },
};

const agentRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  AgentNow: {
    where: 'At `pk = account`, `sk = agent#agentId`',
    description: 'one for each logged-in agent, true for the feed’s `asOf`.',
  },
  AgentInState: { where: 'In the index `byState`', description: 'the same agents, by their state.' },
  FeedNow: {
    where: 'At `pk = account`, `sk = feed`',
    description: 'how old the rows of agents are. Check it before you rely on an agent’s row.',
  },
  AgentInterval: {
    where: 'At `pk = account#agent#agentId`, `sk = from`',
    description: 'a part of an agent’s day in one state. It continues unchanged through an interruption of the feed.',
  },
  FloorSnapshot: {
    where: 'At `pk = account#floor`, `sk = at#part`, the part in three digits',
    description:
      'all agents who were logged in from an instant on. A snapshot is written whenever something changes, when a day ' +
      'begins, and when the feed is interrupted or restored.',
  },
  FeedChange: {
    where: 'At `pk = account#feed`, `sk = at`',
    description: 'one for each start and each end of an interruption of the feed.',
  },
};

const rowSections = (guides: typeof callRows): string =>
  Object.entries(guides)
    .flatMap(([name, { where, description }]) => {
      if (!isRowName(name)) return [];
      const schema = storedRows[name];
      return [
        `### ${titleOf(schema)}`,
        `${where}: ${description}`,
        ownFields(schema, describedBefore[name] ?? [], ofEveryRow),
      ];
    })
    .join('\n\n');

/** Where each request finds what it reads, and the kinds of row that it returns. */
const requestTable = (): string =>
  markdownTable(
    ['To read', 'Table', 'Key', 'Rows'],
    accessPatterns.map(({ question, table, key, request, rows }) => [
      question,
      table,
      `${request.operation === 'query' ? '' : 'GetItem '}${key}`,
      rows.map((name) => `[${titleOf(storedRows[name])}](${anchorOf(titleOf(storedRows[name]))})`).join(', '),
    ]),
  );

/** The rules for calls and agents: the function, when it holds, and the pattern. */
const ruleTable = (): string =>
  markdownTable(
    ['Rule', 'Function', 'Holds if', 'Pattern of `detail`'],
    [
      [
        'missed',
        '`isMissed(call)`',
        '`status` is `not-answered`, and `type` is `inbound` or absent',
        { call: missedCalls },
      ],
      ['abandoned', '`isAbandoned(call)`', 'it is missed, and `hangupBy` is `user`', { call: abandonedCalls }],
      [
        'short',
        '`isShortAbandoned(call, 10)`',
        'it is abandoned, and ended less than 10 seconds after its start',
        { call: shortAbandonedCalls(10) },
      ],
      ['free', '`isFree(agent)`', '`state` is `ready`', { current: freeAgents }],
    ].map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell : code(JSON.stringify(cell))))),
  );

/** The generated parts of docs/contract.md, by their names. */
export const contractParts = (missed: Delivered | undefined) => ({
  'missed-call-event': jsonBlock(missed),
  rules: ruleTable(),
  'every-detail': fieldList(Object.entries(Envelope)),
  events: eventTable(),
  'detail-fields': fieldList(detailFields()),
  'call-summary': fieldTable(withoutAsSent(CallSummary), callKind),
  participant: fieldTable(withoutAsSent(Participant), participantKind),
  'archived-recording': fieldList(fieldsOf(ArchivedRecording)),
  agent: fieldTable(fieldsOf(Agent), agentKind),
  note: fieldList(fieldsOf(Note)),
  'every-row': fieldList(Object.entries(ofEveryRow)),
  'stored-delivery': fieldList(fieldsOf(StoredDelivery)),
  requests: requestTable(),
  'rows-of-calls': rowSections(callRows),
  'rows-of-agents': rowSections(agentRows),
  'words-of-the-service': serviceWordLists(),
  'own-words': ownWordList(),
});
