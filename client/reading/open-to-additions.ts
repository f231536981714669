import * as z from 'zod';

type Schema = z.core.$ZodType;

/**
 * A declaration that passes over fields which it does not know, at any depth: a later version may have added them to a
 * row, and to what is in it.
 */
export const openToAdditions = <Declared extends Schema>(schema: Declared): Declared => {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, openToAdditions(field)] as const);
    return schema.clone({ ...schema.def, shape: Object.fromEntries(fields), catchall: undefined });
  }
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: openToAdditions(schema.element) });
  if (schema instanceof z.ZodOptional)
    return schema.clone({ ...schema.def, innerType: openToAdditions(schema.unwrap()) });
  if (schema instanceof z.ZodReadonly)
    return schema.clone({ ...schema.def, innerType: openToAdditions(schema.unwrap()) });
  return schema;
};
