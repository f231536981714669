import { analytics } from './analytics/query.ts';
import { forwarding } from './forwarding/forwarding.ts';
import type { Feature } from './frame/feature.ts';
import { reconciliation } from './reconciliation/reconciliation.ts';
import { recordings } from './recordings/recordings.ts';

/** The optional parts of a deployment. To take one out, remove its line here and its files. */
export const features: readonly Feature[] = [forwarding, recordings, reconciliation, analytics];
