import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** Set up as the page advises, with our annotations. Formats are not validated: the schemas have patterns too. */
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  validateFormats: false,
  keywords: ['origin', 'personal', 'becomes', 'documentedMaxLength'],
});

const compiled = new Map<string, ValidateFunction>();

/** A schema from the documents. */
export const writtenSchema = (path: string) => JSON.parse(readFileSync(`docs/schemas/${path}.schema.json`, 'utf8'));

/** The errors of an independent validator for a value; none if it fits the schema. */
export const faultsBy = (path: string, value: unknown): readonly string[] => {
  const validate = compiled.get(path) ?? ajv.compile(writtenSchema(path));
  compiled.set(path, validate);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** The errors for an event, by the schema of its type. */
export const eventFaults = (event: Readonly<Record<string, unknown>>): readonly string[] =>
  faultsBy(String(event['detail-type']).replaceAll(' ', ''), event);
