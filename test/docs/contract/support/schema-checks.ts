import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** As the page advises: two annotations are ours. Formats are told by patterns too. */
const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false, keywords: ['origin', 'personal'] });

const compiled = new Map<string, ValidateFunction>();

/** A schema as it is written in the documents. */
export const writtenSchema = (path: string) => JSON.parse(readFileSync(`docs/schemas/${path}.schema.json`, 'utf8'));

/** What an independent validator has against a value, by the schema of a name; nothing if it fits. */
export const faultsBy = (path: string, value: unknown): readonly string[] => {
  const validate = compiled.get(path) ?? ajv.compile(writtenSchema(path));
  compiled.set(path, validate);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** The same for an event, by its type. */
export const eventFaults = (event: Readonly<Record<string, unknown>>): readonly string[] =>
  faultsBy(String(event['detail-type']).replaceAll(' ', ''), event);
