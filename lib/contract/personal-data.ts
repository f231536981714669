import * as z from 'zod';

/** Whether events hold personal data. The rows always do. */
export const personalFields = ['keep', 'leave-out'] as const;
export type PersonalFields = (typeof personalFields)[number];

type Schema = z.core.$ZodType;

/** An object's schema without the fields that are declared personal, at any depth. */
export const objectWithoutPersonal = (schema: z.ZodObject): z.ZodObject => {
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const rest = withoutPersonal(field);
    return rest === undefined ? [] : [[name, rest] as const];
  });
  return schema.clone({ ...schema.def, shape: Object.fromEntries(fields) }, { parent: true });
};

/**
 * The schema without its personal parts, or undefined if nothing is left: a list of personal values is personal itself.
 * `clone` preserves checks and descriptions.
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
