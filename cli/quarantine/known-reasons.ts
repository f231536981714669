import { answers } from '../../lib/callback/refusal.ts';

/** For what posts and records are kept: what is refused otherwise is not. */
export const knownReasons: readonly string[] = Object.entries(answers)
  .filter(([, { status }]) => status === 400)
  .map(([reason]) => reason);
