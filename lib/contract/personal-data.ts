import * as z from 'zod/mini';
import { $ZodArray, $ZodObject, $ZodOptional, $ZodReadonly } from 'zod/v4/core';

/** Whether events hold personal data. The rows always do. */
export const personalFields = ['keep', 'leave-out'] as const;
export type PersonalFields = (typeof personalFields)[number];

type Schema = z.core.$ZodType;

/** An object's schema without the fields that are declared personal, at any depth. */
export const objectWithoutPersonal = (schema: z.ZodMiniObject): z.ZodMiniObject =>
  z.clone(schema, { ...schema.def, shape: shapeWithoutPersonal(schema.def.shape) }, { parent: true });

const shapeWithoutPersonal = (shape: z.core.$ZodShape): z.core.$ZodShape =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) => {
      const rest = withoutPersonal(field);
      return rest === undefined ? [] : [[name, rest] as const];
    }),
  );

/**
 * The schema without its personal parts, or undefined if nothing is left: a list of personal values is personal itself.
 * `clone` preserves checks and descriptions.
 */
const withoutPersonal = (schema: Schema): Schema | undefined => {
  if (z.globalRegistry.get(schema)?.['personal'] === true) return undefined;
  if (schema instanceof $ZodObject) {
    const { def } = schema._zod;
    return z.clone(schema, { ...def, shape: shapeWithoutPersonal(def.shape) }, { parent: true });
  }
  if (schema instanceof $ZodArray) {
    const element = withoutPersonal(schema._zod.def.element);
    return element && z.clone(schema, { ...schema._zod.def, element }, { parent: true });
  }
  if (schema instanceof $ZodOptional) {
    const innerType = withoutPersonal(schema._zod.def.innerType);
    return innerType && z.clone(schema, { ...schema._zod.def, innerType }, { parent: true });
  }
  if (schema instanceof $ZodReadonly) {
    const innerType = withoutPersonal(schema._zod.def.innerType);
    return innerType && z.clone(schema, { ...schema._zod.def, innerType }, { parent: true });
  }
  return schema;
};
