import type { PersonalFields } from '../../lib/contract/personal-data.ts';
import { oneOf, resourceName, TelemetryEnv, type TextsOf, withDefault } from '../adapters/env.ts';

/** The environment of the publisher. */
export const PublishChangesEnv = {
  ...TelemetryEnv,
  BUS_NAME: resourceName,
  /** Where the latest callback of each account is dated. */
  AGENTS_TABLE: resourceName,
  /** Whether events keep the fields that may identify a person. */
  PERSONAL_FIELDS: withDefault(oneOf<PersonalFields>(['keep', 'leave-out']), 'keep'),
};

/** The environment as the stack sets it. */
export type PublishChangesEnv = TextsOf<typeof PublishChangesEnv>;
