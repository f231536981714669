import { readFile } from 'node:fs/promises';
import { type EventType, eventTypes, guideOf } from '../../lib/contract/events.ts';
import { eventSource } from '../../lib/storage/event.ts';
import manifest from '../../package.json' with { type: 'json' };
import { analyticsParts } from './analytics.ts';
import { commandParts } from './commands.ts';
import { type Delivered, exampleEvents } from './examples.ts';
import { figuresParts } from './figures.ts';
import { incomingParts } from './incoming.ts';
import { filled, partsOf } from './markdown.ts';
import { missedParts } from './missed.ts';
import { numberParts } from './numbers.ts';
import { contractParts } from './page.ts';
import { pythonRows } from './python-rows.ts';
import { questionsParts } from './questions.ts';
import { eventSchemaPath, schemaName } from './schemas.ts';

const pages = ['contract', 'questions', 'figures', 'incoming', 'analytics', 'command-line', 'permissions'];

/** Every generated file that is tracked, by its path. Pages keep what is written by hand. */
export const contractFiles = async (): Promise<ReadonlyMap<string, string>> => {
  const { byType, missed } = await exampleEvents();
  const parts: Readonly<Record<string, string>> = {
    ...contractParts(missed),
    ...questionsParts(),
    ...figuresParts(),
    ...missedParts(),
    ...incomingParts(),
    ...numberParts(),
    ...analyticsParts(),
    ...commandParts(),
  };
  const texts = await Promise.all(pages.map((name) => readFile(new URL(`../${name}.md`, import.meta.url), 'utf8')));
  const placed = new Set(texts.flatMap(partsOf));
  const missing = Object.keys(parts).filter((name) => !placed.has(name));
  if (missing.length > 0) throw new Error(`No page has a place for: ${missing.join(', ')}`);

  return new Map([
    ...texts.map((text, at): [string, string] => [`docs/${pages[at]}.md`, filled(text, parts)]),
    ['python/callfeed/rows.py', pythonRows()],
    ['docs/asyncapi.json', `${JSON.stringify(asyncApi(byType), undefined, 2)}\n`],
  ]);
};

/** The schemas are of another draft than AsyncAPI's own, so each names its draft. */
const schemaFormat = 'application/schema+json;version=draft-2020-12';

const reference = ($ref: string) => ({ $ref });

/** An object with an entry for each event. */
const forEachEvent = <Value>(make: (type: EventType) => Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(eventTypes.map((type) => [schemaName(type), make(type)]));

/** The events as an AsyncAPI 3.0 document with one channel, the bus. */
const asyncApi = (examples: ReadonlyMap<EventType, Delivered>) => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Callfeed',
    version: manifest.version,
    description:
      'Calls and agents of a contact centre, as events on EventBridge. Delivery is at least once; a repeat has the same ' +
      '`detail.id`. Within `schemaVersion` 1, fields and detail types are only added.',
    license: { name: 'MIT' },
  },
  defaultContentType: 'application/json',
  channels: {
    bus: {
      address: eventSource,
      title: 'Event bus',
      description: `The stack’s output BusName names the bus. The source of every event is \`${eventSource}\`.`,
      messages: forEachEvent((type) => reference(`#/components/messages/${schemaName(type)}`)),
    },
  },
  operations: {
    publish: {
      action: 'send',
      title: 'Callfeed publishes what happened',
      channel: reference('#/channels/bus'),
      messages: eventTypes.map((type) => reference(`#/channels/bus/messages/${schemaName(type)}`)),
    },
  },
  components: {
    messages: forEachEvent((type) => ({
      name: type,
      title: type,
      summary: guideOf(type).when,
      contentType: 'application/json',
      payload: { schemaFormat, schema: reference(`./${eventSchemaPath(type)}`) },
      examples: [{ name: schemaName(type), payload: examples.get(type) }],
    })),
  },
});
