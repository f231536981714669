import * as z from 'zod';

/** The drafts of JSON Schema in which the contract is told. */
export type Draft = 'draft-04' | 'draft-2020-12';

/**
 * A declaration as JSON Schema. It is open at every depth, so that who checks with it takes what a later version says,
 * to which fields were added, and what others say beside it.
 */
export const openJsonSchema = (schema: z.ZodType, draft: Draft) =>
  z.toJSONSchema(schema, {
    target: draft,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
