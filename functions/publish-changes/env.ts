import * as z from 'zod/mini';
import { personalFields } from '../../lib/contract/personal-data.ts';
import { resourceName, TelemetryEnv } from '../adapters/env.ts';

/** What the publisher reads from its environment. */
export const PublishChangesEnv = z.object({
  ...TelemetryEnv,
  BUS_NAME: resourceName,
  /** Whether events have the fields that may identify a person. */
  PERSONAL_FIELDS: z._default(z.enum(personalFields), 'keep'),
});

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type PublishChangesEnv = z.input<typeof PublishChangesEnv>;
