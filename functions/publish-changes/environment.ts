import * as z from 'zod/mini';
import { personalFields } from '../../lib/storage/rows.ts';
import { resourceName, telemetryEnv } from '../adapters/env.ts';

export const publishChangesEnv = z.object({
  ...telemetryEnv().shape,
  BUS_NAME: resourceName,
  /** Where the latest callback of each account is dated. */
  AGENTS_TABLE: resourceName,
  PERSONAL_FIELDS: z._default(z.enum(personalFields, personalFields.join(' or ')), personalFields[0]),
});
export type PublishChangesEnv = z.output<typeof publishChangesEnv>;
