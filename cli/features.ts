import { analytics } from './analytics/query.ts';
import { forwarding } from './forwarding/forwarding.ts';
import type { Feature } from './frame/feature.ts';
import { reconciliation } from './reconciliation/reconciliation.ts';
import { recordings } from './recordings/recordings.ts';

/** The optional parts of a deployment, for commands that list what each has. CONTRIBUTING.md says what else names one. */
export const features: readonly Feature[] = [forwarding, recordings, reconciliation, analytics];
