import * as z from 'zod';

/** What is wrong with an event, and where; never a value, as it may be a person's. */
export interface EventProblem {
  /** As in `detail.call.status`; empty for the event itself. */
  readonly at: string;
  /** What is wrong, and what is allowed. */
  readonly problem: string;
}

/** What zod complains of, told by its place in the declaration. */
export const problemOf = (schema: z.ZodType, { path, message }: z.core.$ZodIssue): EventProblem => ({
  at: placeOf(schema, path),
  problem: message,
});

const placeOf = (schema: z.ZodType, path: readonly PropertyKey[]): string => {
  let within: z.core.$ZodType | undefined = schema;
  const steps = path.map((step) => {
    within = within && bare(within);
    const isDeclared = within instanceof z.ZodObject || within instanceof z.ZodArray;
    within = isDeclared ? inside(within, step) : undefined;
    // The name of something that nobody declared is the sender's own, and may say anything.
    return isDeclared ? String(step) : '*';
  });
  return steps.join('.');
};

const bare = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly ? bare(schema.unwrap()) : schema;

const inside = (schema: z.core.$ZodType | undefined, step: PropertyKey): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodObject ? schema.shape[String(step)] : undefined;
};
