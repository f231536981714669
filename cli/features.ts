import { analytics } from './commands/analytics/query.ts';
import { forwarding } from './commands/forwarding.ts';
import { reconciliation } from './commands/reconciliation/reconciliation.ts';
import { recordings } from './commands/recordings/recordings.ts';
import type { Feature } from './feature.ts';

/** The optional parts of a deployment. To take one out, remove its line here and its files. */
export const features: readonly Feature[] = [forwarding, recordings, reconciliation, analytics];
