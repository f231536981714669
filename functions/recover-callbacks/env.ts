import { StoreEnv, TelemetryEnv, type TextsOf } from '../adapters/env.ts';

/** The environment of recovery. */
export const RecoverCallbacksEnv = { ...StoreEnv, ...TelemetryEnv };

/** The environment as the stack sets it. */
export type RecoverCallbacksEnv = TextsOf<typeof RecoverCallbacksEnv>;
