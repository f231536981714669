import * as z from 'zod';
import { code, markdownTable } from './markdown.ts';
import { typeWords } from './type-words.ts';

type Schema = z.core.$ZodType;

const head = ['Field', 'Type', 'Meaning', 'From', 'Personal'];

/** The fields of a declaration, but for those that are told elsewhere. */
export const fieldTable = (schema: z.ZodObject, elsewhere: z.core.$ZodLooseShape = {}): string =>
  markdownTable(head, ownFields(schema, elsewhere).map(fieldRow));

const ownFields = (schema: z.ZodObject, elsewhere: z.core.$ZodLooseShape): readonly [string, Schema][] =>
  Object.entries<Schema>(schema.shape).filter(([name, field]) => elsewhere[name] !== field);

const fieldRow = ([name, field]: readonly [string, Schema]): readonly string[] => {
  const { description = '', origin, personal } = said(field);
  return [
    `${code(name)}${field instanceof z.ZodOptional ? '?' : ''}`,
    typeWords(name, field),
    description,
    typeof origin === 'string' ? code(origin) : '',
    personal === true ? 'yes' : '',
  ];
};

/** What is said of a field, be it of the declaration that was made optional afterwards. */
const said = (field: Schema): z.core.GlobalMeta => ({
  ...(field instanceof z.ZodOptional || field instanceof z.ZodReadonly ? said(field.unwrap()) : undefined),
  ...z.globalRegistry.get(field),
});
