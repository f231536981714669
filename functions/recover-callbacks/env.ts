import * as z from 'zod/mini';
import { StoreEnv, TelemetryEnv } from '../adapters/env.ts';

/** The environment of recovery. */
export const RecoverCallbacksEnv = z.object({ ...StoreEnv, ...TelemetryEnv });

/** The environment as the stack sets it: strings; optional ones may be absent. */
export type RecoverCallbacksEnv = z.input<typeof RecoverCallbacksEnv>;
