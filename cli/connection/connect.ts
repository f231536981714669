import type { Deployment } from './deployment.ts';
import { fromSandbox } from './from-sandbox.ts';
import { fromStack } from './from-stack.ts';
import type { Where } from './where.ts';

/** Finds a deployment: by the outputs of its stack, or by what a running sandbox tells of itself. */
export const connect = (where: Where): Promise<Deployment> =>
  where.endpoint === undefined ? fromStack(where) : fromSandbox(where.endpoint);
