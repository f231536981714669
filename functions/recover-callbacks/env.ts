import type * as z from 'zod';
import { StoreEnv } from '../adapters/store-env.ts';

/** What recovery reads from its environment: where the parked callbacks belong. */
export const RecoverCallbacksEnv = StoreEnv;

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type RecoverCallbacksEnv = z.input<typeof RecoverCallbacksEnv>;
