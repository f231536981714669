import * as z from 'zod/mini';
import { personalFields } from '../../lib/contract/personal-data.ts';
import { resourceName, TelemetryEnv } from '../adapters/env.ts';

/** The environment of the publisher. */
export const PublishChangesEnv = z.object({
  ...TelemetryEnv,
  BUS_NAME: resourceName,
  /** Where the latest callback of each account is dated. */
  AGENTS_TABLE: resourceName,
  /** Whether events keep the fields that may identify a person. */
  PERSONAL_FIELDS: z._default(z.enum(personalFields), 'keep'),
});

/** The environment as the stack sets it: strings; optional ones may be absent. */
export type PublishChangesEnv = z.input<typeof PublishChangesEnv>;
