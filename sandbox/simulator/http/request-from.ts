import * as z from 'zod';
import { parsed } from '../../../lib/json/parsed.ts';

/** What a body asks for, or what is wrong with it. An empty body is an empty object. */
export const requestFrom = <Schema extends z.ZodType>(
  schema: Schema,
  body: string,
): { readonly asked: z.infer<Schema> } | { readonly wrong: string } => {
  const request = schema.safeParse(body.trim() === '' ? {} : parsed(body));
  return request.success ? { asked: request.data } : { wrong: z.prettifyError(request.error) };
};
