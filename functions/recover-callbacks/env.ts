import * as z from 'zod/mini';
import { StoreEnv, TelemetryEnv } from '../adapters/env.ts';

/** The environment of recovery. */
export const RecoverCallbacksEnv = z.object({ ...StoreEnv.shape, ...TelemetryEnv.shape });
export type RecoverCallbacksEnv = z.output<typeof RecoverCallbacksEnv>;
