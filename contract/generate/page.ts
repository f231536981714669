import * as z from 'zod';
import { Agent } from '../../lib/agent-login/model.ts';
import { CallSummary, Participant } from '../../lib/contract/call-events.ts';
import { Envelope } from '../../lib/contract/envelope.ts';
import { Note } from '../../lib/contract/note.ts';
import { KeptDelivery } from '../../lib/contract/rows.ts';
import { wholeEvent } from '../../lib/contract/whole-event.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { accessPatterns } from './access-patterns.ts';
import { accessSection } from './access-section.ts';
import { missedCalls } from './event-guides.ts';
import { eventSection } from './event-section.ts';
import { eventTypes } from './event-types.ts';
import { type Examples, examples } from './examples.ts';
import { fieldTable } from './field-table.ts';
import { anchorOf, jsonBlock } from './markdown.ts';
import { agentRows, callRows, type RowGuide } from './row-guides.ts';
import { rowSection } from './row-section.ts';
import { isRowName, type RowName } from './stored-rows.ts';
import type { Story } from './story/story.ts';
import { wordTable } from './word-table.ts';

const separate = (sections: readonly string[]): string => sections.join('\n\n');

const rowSections = (guides: Readonly<Partial<Record<RowName, RowGuide>>>, rows: readonly Facts[]): string =>
  separate(Object.entries(guides).map(([name, guide]) => (isRowName(name) ? rowSection(name, guide, rows) : '')));

const accessSections = (table: 'calls' | 'agents'): string =>
  separate(accessPatterns.filter((pattern) => pattern.table === table).map(accessSection));

const linked = eventTypes.map((type) => `- [${type}](${anchorOf(type)})`).join('\n');

/** What the page's template names, by those names. */
const inserts = (story: Story, { byType, missed }: Examples): Readonly<Record<string, string>> => ({
  'missed-call-event': jsonBlock(missed),
  'missed-call-pattern': JSON.stringify(missedCalls),
  'list of events': linked,
  envelope: fieldTable(wholeEvent('Call Summary Recorded', z.strictObject({})).omit({ detail: true })),
  'every detail': fieldTable(z.strictObject(Envelope)),
  events: separate(eventTypes.map((type) => eventSection(type, byType[type]))),
  'call summary': fieldTable(CallSummary),
  participant: fieldTable(Participant),
  agent: fieldTable(Agent),
  note: fieldTable(Note),
  'kept delivery': fieldTable(KeptDelivery),
  'questions to calls': accessSections('calls'),
  'questions to agents': accessSections('agents'),
  'rows of calls': rowSections(callRows, story.calls.rows),
  'rows of agents': rowSections(agentRows, story.agents.rows),
  words: wordTable(),
});

/** The page: its template with what is generated in the places that the template names. Throws where one names nothing. */
export const page = (template: string, story: Story): string => {
  const parts = inserts(story, examples(story));
  return template.replaceAll(/\{\{(.+?)\}\}/g, (_place, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`Nothing is generated that is called ${name}`);
    return part;
  });
};
