import * as z from 'zod/mini';
import { personalFields } from '../../lib/storage/rows.ts';
import { resourceName, telemetryEnv } from '../adapters/env.ts';

export const publishChangesEnv = z.object({
  ...telemetryEnv().shape,
  BUS_NAME: resourceName,
  /** This table holds the time of each account's latest callback, which this function writes. */
  AGENTS_TABLE: resourceName,
  PERSONAL_FIELDS: z._default(z.enum(personalFields, personalFields.join(' or ')), personalFields[0]),
});
export type PublishChangesEnv = z.output<typeof publishChangesEnv>;
