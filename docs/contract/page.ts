import * as z from 'zod';
import { Agent } from '../../lib/agents/schema.ts';
import { callFigureDefinitions } from '../../lib/client/call-figures.ts';
import { agentFigureDefinitions } from '../../lib/client/day-figures.ts';
import { callGroupings } from '../../lib/client/group-calls.ts';
import { CallSummary, Envelope, Participant } from '../../lib/contract/call-events.ts';
import { type EventType, eventBridgeEvent, eventSchemas } from '../../lib/contract/events.ts';
import { StoredDelivery } from '../../lib/contract/rows.ts';
import { abandonedCalls, freeAgents, missedCalls, shortAbandonedCalls } from '../../lib/contract/rules.ts';
import { ArchivedRecording } from '../../lib/recordings/schema.ts';
import { Note } from '../../lib/storage/field.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable, type Index } from '../../lib/storage/tables.ts';
import { accessPatterns } from './access-patterns.ts';
import type { Delivered, Examples, Scenario } from './examples.ts';
import { fieldTable, ownWordTable, serviceWordTables, sharedFields } from './field-tables.ts';
import { figuresByHand } from './figures-by-hand.ts';
import { agentRows, callRows, eventGuides, narrowing, type RowGuide } from './guides.ts';
import { anchorOf, code, jsonBlock, jsonLine, linkTo, markdownTable } from './markdown.ts';
import { answersTo, type Question, questions } from './questions.ts';
import { eventTypes, isRowName, type RowName, storedRows } from './schemas.ts';

/** The section of one event. */
const eventSection = (type: EventType, example: Delivered): string => {
  const { when, narrowed } = eventGuides[type];
  return [
    `## ${type}`,
    when,
    'The fields of `detail`, besides [those of every event](#every-detail):',
    fieldTable(eventSchemas[type], Envelope),
    `A rule that selects only ${narrowed.to}:`,
    jsonLine(narrowing(type)),
    jsonBlock(example),
  ].join('\n\n');
};

/** The attributes of a row that an index has: the keys of both, and the projected ones. */
export const projectToIndex = (row: Row, { key, projection }: Index): Row => {
  const projected = new Set([callsTable.key.partition, callsTable.key.sort, key.partition, key.sort, ...projection]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => projected.has(name)));
};

/** The index of a name. Throws if there is none. */
export const indexNamed = (name: string): Index => {
  const found = [...callsTable.indexes, ...agentsTable.indexes].find((index) => index.name === name);
  if (found === undefined) throw new Error(`There is no index ${name}`);
  return found;
};

/** The schemas whose fields other sections describe, for the rows that share them. */
const listedBefore: Readonly<Partial<Record<RowName, readonly z.core.$ZodObject[]>>> = {
  Call: [CallSummary],
  CallParticipant: [Participant, storedRows.Call],
  ListedCall: [storedRows.Call],
  AgentNow: [Agent],
  AgentInState: [Agent],
};

/** Rows that are read through an index, by an example of one. */
const exampleIndex: Readonly<Partial<Record<RowName, string>>> = { ListedCall: 'byAgent', AgentInState: 'byState' };

const titleOf = (schema: z.core.$ZodObject): string => z.globalRegistry.get(schema)?.title ?? '';

const fieldsOf = (schema: z.core.$ZodObject, listed: z.core.$ZodObject): string =>
  `And of [${titleOf(listed)}](${linkTo(titleOf(listed))}) ${sharedFields(schema, listed)}.`;

/** The section of one kind of row. */
const rowSection = (name: RowName, { where, description, isExample }: RowGuide, rows: readonly Row[]): string => {
  const row = rows.find(isExample);
  if (row === undefined) throw new Error(`There is no example of ${name}`);

  const [schema, listed, index] = [storedRows[name], listedBefore[name] ?? [], exampleIndex[name]];
  return [
    `### ${titleOf(schema)}`,
    `${description} It is ${where.startsWith('in') ? where : `at ${where}`}.`,
    fieldTable(schema, Object.assign({}, ...listed.map((other) => other._zod.def.shape))),
    ...listed.map((other) => fieldsOf(schema, other)),
    jsonBlock(index === undefined ? row : projectToIndex(row, indexNamed(index))),
  ].join('\n\n');
};

const joinSections = (sections: readonly string[]): string => sections.join('\n\n');

const rowSections = (guides: Readonly<Partial<Record<RowName, RowGuide>>>, rows: readonly Row[]): string =>
  joinSections(Object.entries(guides).map(([name, guide]) => (isRowName(name) ? rowSection(name, guide, rows) : '')));

/** Where the request finds what it reads, and the kinds of row that it returns. */
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

const questionSection = (question: Question): string =>
  [`## ${question.title}`, ...(question.advice === undefined ? [] : [question.advice]), answersTo(question)].join(
    '\n\n',
  );

const listOf = (titles: readonly string[]): string =>
  titles.map((title) => `- [${title}](${anchorOf(title)})`).join('\n');

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

const wholeEvent = eventBridgeEvent('Call Summary Recorded', eventSchemas['Call Summary Recorded']);

/** The generated parts of the contract's pages, by their names. */
export const contractParts = ({ calls, agents }: Scenario, { byType, missed }: Examples) => ({
  'missed-call-event': jsonBlock(missed),
  rules: ruleTable(),
  'list-of-events': listOf(eventTypes),
  envelope: fieldTable(wholeEvent, { detail: wholeEvent.shape.detail }),
  'every-detail': fieldTable(z.strictObject(Envelope)),
  events: joinSections(eventTypes.map((type) => eventSection(type, byType[type]))),
  'call-summary': fieldTable(CallSummary),
  participant: fieldTable(Participant),
  'archived-recording': fieldTable(ArchivedRecording),
  agent: fieldTable(Agent),
  note: fieldTable(Note),
  'stored-delivery': fieldTable(StoredDelivery),
  requests: requestTable(),
  'list-of-questions': listOf(questions.map(({ title }) => title)),
  questions: joinSections(questions.map(questionSection)),
  'rows-of-calls': rowSections(callRows, calls.rows),
  'rows-of-agents': rowSections(agentRows, agents.rows),
  figures: markdownTable(
    ['Figure', '`--json`, `--csv`', 'How it is computed'],
    Object.entries({ ...callFigureDefinitions, ...agentFigureDefinitions }).map(([name, { title, definition }]) => [
      title,
      code(name),
      definition,
    ]),
  ),
  'figures-by-hand': figuresByHand(),
  groupings: markdownTable(
    ['`--by`', 'How a call counts'],
    Object.entries(callGroupings).map(([by, definition]) => [code(by), definition]),
  ),
  'words-of-the-service': serviceWordTables(),
  'own-words': ownWordTable(),
});
