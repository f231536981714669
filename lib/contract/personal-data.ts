import * as z from 'zod';

/** What events say of people: all that is known, or nothing. The rows have it all either way. */
export const personalFields = ['keep', 'leave-out'] as const;
export type PersonalFields = (typeof personalFields)[number];

type Schema = z.core.$ZodType;

/** An object's declaration without whatever in it is declared to be personal, at any depth. */
export const objectWithoutPersonal = (schema: z.ZodObject): z.ZodObject => {
  const kept = Object.entries(schema.shape).flatMap(([name, field]) => {
    const rest = withoutPersonal(field);
    return rest === undefined ? [] : [[name, rest] as const];
  });
  return schema.clone({ ...schema.def, shape: Object.fromEntries(kept) }, { parent: true });
};

/**
 * What is left of a declaration, or undefined if that is nothing: a list of what is personal is so itself. A clone keeps
 * checks and descriptions.
 */
const withoutPersonal = (schema: Schema): Schema | undefined => {
  if (z.globalRegistry.get(schema)?.['personal'] === true) return undefined;
  if (schema instanceof z.ZodObject) return objectWithoutPersonal(schema);
  if (schema instanceof z.ZodArray) {
    const element = withoutPersonal(schema.element);
    return element && schema.clone({ ...schema.def, element }, { parent: true });
  }
  if (schema instanceof z.ZodOptional) {
    const innerType = withoutPersonal(schema.unwrap());
    return innerType && schema.clone({ ...schema.def, innerType }, { parent: true });
  }
  if (schema instanceof z.ZodReadonly) {
    const innerType = withoutPersonal(schema.unwrap());
    return innerType && schema.clone({ ...schema.def, innerType }, { parent: true });
  }
  return schema;
};
