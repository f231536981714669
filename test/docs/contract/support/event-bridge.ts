import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { jsonSchemas } from '../../../../docs/contract/schemas.ts';
import type { BusEvent } from '../../../../lib/publish/events-of-change.ts';
import { eventSource } from '../../../../lib/storage/event.ts';
import { toEnvelope } from '../../../../sandbox/aws/event-bus.ts';

/** Set up as the page advises, with our annotations. Formats are not validated: the schemas have patterns too. */
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  validateFormats: false,
  keywords: ['origin', 'personal', 'becomes', 'documentedMaxLength'],
});

const compiled = new Map<string, ValidateFunction>();

const schemas = jsonSchemas();

/** A schema of the package, by its path below `docs/schemas`. Throws if there is none. */
export const packagedSchema = (path: string): { readonly properties: object } => {
  const schema = schemas.get(`schemas/${path}.schema.json`);
  if (schema === undefined || !('properties' in schema)) throw new Error(`There is no schema ${path}`);
  return { ...schema, properties: Object(schema.properties) };
};

const errorsOf = (validate: ValidateFunction, value: unknown): readonly string[] => {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** The errors of an independent validator for a value; none if it fits the schema. */
export const faultsBy = (path: string, value: unknown): readonly string[] => {
  const validate = compiled.get(path) ?? ajv.compile(packagedSchema(path));
  compiled.set(path, validate);
  return errorsOf(validate, value);
};

/** The same for a value of which fields were left out. Here any field that the schema does not have is an error. */
export const faultsOfPart = (path: string, part: unknown): readonly string[] => {
  const schema = JSON.stringify(packagedSchema(path), (name, value) => {
    if (name === 'required') return undefined;
    return isObject(value) && isObject(value['properties']) ? { additionalProperties: false, ...value } : value;
  });
  return errorsOf(ajv.compile(JSON.parse(schema.replaceAll(/"\$id":"[^"]*",?/g, ''))), part);
};

/** The errors for an event, by the schema of its type. */
export const eventFaults = (event: Readonly<Record<string, unknown>>): readonly string[] =>
  faultsBy(String(event['detail-type']).replaceAll(' ', ''), event);

export type Plain = Readonly<Record<string, unknown>>;

const compare: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '=': (value, bound) => value === bound,
  '>=': (value, bound) => value >= bound,
  '>': (value, bound) => value > bound,
};

const isObject = (value: unknown): value is Plain =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const isOfPresence = (allowed: unknown): allowed is { readonly exists: boolean } =>
  isObject(allowed) && typeof allowed['exists'] === 'boolean' && Object.keys(allowed).length === 1;

const isListOfText = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Whether a value is allowed. Throws for an unknown matcher, which would be a mistake in the test. */
const allows = (allowed: unknown, value: unknown): boolean => {
  if (!isObject(allowed)) return allowed === value;
  if (isOfPresence(allowed)) return allowed.exists;
  const { numeric, 'anything-but': refused, ...others } = allowed;
  if (isListOfText(refused) && numeric === undefined && Object.keys(others).length === 0)
    return typeof value !== 'string' || !refused.includes(value);
  if (!Array.isArray(numeric) || refused !== undefined || Object.keys(others).length > 0)
    throw new Error('Unknown matcher');
  if (typeof value !== 'number') return false;
  for (let at = 0; at < numeric.length; at += 2)
    if (!compare[String(numeric[at])]?.(value, Number(numeric[at + 1]))) return false;
  return true;
};

/**
 * Whether a rule of EventBridge would match an event, by its documentation: the event has every field of the pattern with
 * one of the listed values. Of a list in the event, one value is enough.
 */
export const matches = (pattern: Plain, event: unknown): boolean =>
  isObject(event) &&
  Object.entries(pattern).every(([name, allowed]) => {
    const value = event[name];
    if (isObject(allowed)) return matches(allowed, value);
    if (!Array.isArray(allowed)) throw new Error('The values of a pattern must be lists');
    if (!(name in event)) return allowed.some((candidate) => isOfPresence(candidate) && !candidate.exists);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.some((one) => allowed.some((candidate) => allows(candidate, one)));
  });

/** How a target's input is made of an event. */
interface InputTransformer {
  readonly InputPathsMap: Readonly<Record<string, string>>;
  readonly InputTemplate: string;
}

/** The value at a path such as `$.detail.callId`. Throws if there is none: EventBridge would send a hole or an empty text. */
export const valueAt = (path: string, event: unknown): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => {
      if (!isObject(value) || !(name in value)) throw new Error(`The event has no ${path}`);
      return value[name];
    }, event);

/** The JSON that an input transformer makes of an event, by EventBridge's documentation. No variable may be within quotes. */
export const transformed = ({ InputPathsMap, InputTemplate }: InputTransformer, event: unknown): unknown =>
  JSON.parse(
    InputTemplate.replaceAll(/<([\w-]+)>/g, (_, name) => JSON.stringify(valueAt(InputPathsMap[name] ?? '', event))),
  );

/** An event as a subscriber gets it from the sandbox's bus. */
export const delivered = ({ type, detail }: BusEvent): Record<string, unknown> => ({
  ...toEnvelope(
    { Source: eventSource, DetailType: type, Detail: JSON.stringify(detail), Resources: [] },
    'default',
    new Date(),
  ),
});
