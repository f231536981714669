import * as z from 'zod/mini';
import { StoreEnv, TelemetryEnv } from '../adapters/env.ts';

/** What recovery reads from its environment: where the parked callbacks belong. */
export const RecoverCallbacksEnv = z.object({ ...StoreEnv, ...TelemetryEnv });

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type RecoverCallbacksEnv = z.input<typeof RecoverCallbacksEnv>;
