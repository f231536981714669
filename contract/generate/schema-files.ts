import { eventSchemas } from '../../lib/contract/event-schemas.ts';
import { openJsonSchema } from '../../lib/contract/open-json-schema.ts';
import { wholeEvent } from '../../lib/contract/whole-event.ts';
import { eventTypes } from './event-types.ts';
import { storedRows } from './stored-rows.ts';

/** Files by their paths from the repository's root. */
export type Files = ReadonlyMap<string, string>;

/** What a `detail-type` is called where there can be no space. */
export const schemaName = (type: string): string => type.replaceAll(' ', '');

/** JSON as it is written to a file. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** Where the schema of an event is, from the folder of the documents. */
export const eventSchemaPath = (type: string): string => `schemas/${schemaName(type)}.schema.json`;

/** Where the schema of a row is, from the folder of the documents. */
export const rowSchemaPath = (name: string): string => `schemas/rows/${kebab(name)}.schema.json`;

/** A schema for every whole event and every readable row, open to additions. */
export const schemaFiles = (): Files =>
  new Map([
    ...eventTypes.map((type): [string, string] => [
      `docs/${eventSchemaPath(type)}`,
      jsonText(openJsonSchema(wholeEvent(type, eventSchemas[type]), 'draft-2020-12')),
    ]),
    ...Object.entries(storedRows).map(([name, row]): [string, string] => [
      `docs/${rowSchemaPath(name)}`,
      jsonText(openJsonSchema(row, 'draft-2020-12')),
    ]),
  ]);
