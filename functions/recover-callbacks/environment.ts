import * as z from 'zod/mini';
import { storeEnv, telemetryEnv } from '../adapters/env.ts';

export const recoverCallbacksEnv = z.object({ ...storeEnv().shape, ...telemetryEnv().shape });
export type RecoverCallbacksEnv = z.output<typeof recoverCallbacksEnv>;
