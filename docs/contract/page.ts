import * as z from 'zod';
import { Agent } from '../../lib/agents/schema.ts';
import { CallSummary, Envelope, Participant } from '../../lib/contract/call-events.ts';
import { type EventType, eventBridgeEvent, eventSchemas } from '../../lib/contract/events.ts';
import { StoredDelivery } from '../../lib/contract/rows.ts';
import { abandonedCalls, freeAgents, missedCalls, shortAbandonedCalls } from '../../lib/contract/rules.ts';
import { Note } from '../../lib/storage/field.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable, type Index } from '../../lib/storage/tables.ts';
import { type AccessPattern, accessPatterns } from './access-patterns.ts';
import { type Delivered, type Examples, examples, type Scenario } from './examples.ts';
import { fieldTable, ownWordTable, serviceWordTables } from './field-tables.ts';
import { agentRows, callRows, eventGuides, narrowing, type RowGuide, selecting, selectingCalls } from './guides.ts';
import { anchorOf, code, filled, jsonBlock, jsonLine } from './markdown.ts';
import { eventSchemaPath, eventTypes, isRowName, type RowName, rowSchemaPath, storedRows } from './schemas.ts';

/** The sandbox's names of the tables. */
const sandboxTable = { calls: 'callfeed-calls', agents: 'callfeed-agents' } as const;

/** The section of one question. */
const accessSection = ({ question, table, key, request, advice }: AccessPattern): string =>
  [
    `#### ${question}`,
    `${request.operation === 'query' ? 'Query' : 'GetItem'}, ${key}.${advice === undefined ? '' : ` ${advice}`}`,
    jsonBlock({ TableName: sandboxTable[table], ...request.input }),
  ].join('\n\n');

/** The section of one event. */
const eventSection = (type: EventType, example: Delivered): string => {
  const { when, narrowed } = eventGuides[type];
  return [
    `### ${type}`,
    when,
    'A rule that selects all of them:',
    jsonLine(selecting(type)),
    `A rule that selects only ${narrowed.to}:`,
    jsonLine(narrowing(type)),
    'The fields of `detail`, besides [those of every event](#every-detail):',
    fieldTable(eventSchemas[type], Envelope),
    'An example, as delivered:',
    jsonBlock(example),
    `JSON Schema: [${eventSchemaPath(type)}](${eventSchemaPath(type)})`,
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

/** Rows that have all fields of an event's schema. */
const eventSchemaOf: Readonly<Partial<Record<RowName, z.core.$ZodObject>>> = {
  Call: CallSummary,
  CallParticipant: Participant,
};

/** Rows that are read through an index, by an example of one. */
const exampleIndex: Readonly<Partial<Record<RowName, string>>> = { ListedCall: 'byAgent', AgentInState: 'byState' };

/** The section of one kind of row. */
const rowSection = (name: RowName, { where, description, isExample }: RowGuide, rows: readonly Row[]): string => {
  const row = rows.find(isExample);
  if (row === undefined) throw new Error(`There is no example of ${name}`);

  const [schema, facts, index] = [storedRows[name], eventSchemaOf[name], exampleIndex[name]];
  const title = schema.meta()?.title ?? name;
  const source = facts && z.globalRegistry.get(facts)?.title;
  const also = source === undefined ? [] : [`And every field of [${source}](${anchorOf(source)}).`];
  return [
    `#### ${title}`,
    `${description} It is ${where.startsWith('in') ? where : `at ${where}`}.`,
    fieldTable(schema, facts?._zod.def.shape),
    ...also,
    jsonBlock(index === undefined ? row : projectToIndex(row, indexNamed(index))),
    `JSON Schema: [${rowSchemaPath(name)}](${rowSchemaPath(name)})`,
  ].join('\n\n');
};

const joinSections = (sections: readonly string[]): string => sections.join('\n\n');

const rowSections = (guides: Readonly<Partial<Record<RowName, RowGuide>>>, rows: readonly Row[]): string =>
  joinSections(Object.entries(guides).map(([name, guide]) => (isRowName(name) ? rowSection(name, guide, rows) : '')));

const accessSections = (table: 'calls' | 'agents'): string =>
  joinSections(accessPatterns.filter((pattern) => pattern.table === table).map(accessSection));

const eventLinks = eventTypes.map((type) => `- [${type}](${anchorOf(type)})`).join('\n');

const inlineJson = (value: object): string => code(JSON.stringify(value));

const wholeEvent = eventBridgeEvent('Call Summary Recorded', eventSchemas['Call Summary Recorded']);

/** The generated parts of the page, by their names in the template. */
const inserts = ({ calls, agents }: Scenario, { byType, missed }: Examples): Readonly<Record<string, string>> => ({
  'missed-call-event': jsonBlock(missed),
  'missed-call-pattern': JSON.stringify(selectingCalls(missedCalls)),
  'missed calls': inlineJson({ call: missedCalls }),
  'abandoned calls': inlineJson({ call: abandonedCalls }),
  'short abandoned calls': inlineJson({ call: shortAbandonedCalls(10) }),
  'free agents': inlineJson({ current: freeAgents }),
  'list of events': eventLinks,
  envelope: fieldTable(wholeEvent, { detail: wholeEvent.shape.detail }),
  'every detail': fieldTable(z.strictObject(Envelope)),
  events: joinSections(eventTypes.map((type) => eventSection(type, byType[type]))),
  'call summary': fieldTable(CallSummary),
  participant: fieldTable(Participant),
  agent: fieldTable(Agent),
  note: fieldTable(Note),
  'stored delivery': fieldTable(StoredDelivery),
  'questions to calls': accessSections('calls'),
  'questions to agents': accessSections('agents'),
  'rows of calls': rowSections(callRows, calls.rows),
  'rows of agents': rowSections(agentRows, agents.rows),
  'words of the service': serviceWordTables(),
  'own words': ownWordTable(),
});

/** The page of the contract. */
export const page = (template: string, scenario: Scenario): string =>
  filled(template, inserts(scenario, examples(scenario)));
