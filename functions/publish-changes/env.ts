import * as z from 'zod/mini';
import type { PersonalFields } from '../../lib/contract/personal-data.ts';
import { oneOf, resourceName, TelemetryEnv } from '../adapters/env.ts';

/** The environment of the publisher. */
export const PublishChangesEnv = z.object({
  ...TelemetryEnv.shape,
  BUS_NAME: resourceName,
  /** Where the latest callback of each account is dated. */
  AGENTS_TABLE: resourceName,
  /** Whether events keep the fields that may identify a person. */
  PERSONAL_FIELDS: z._default(oneOf<PersonalFields>(['keep', 'leave-out']), 'keep'),
});
export type PublishChangesEnv = z.output<typeof PublishChangesEnv>;
