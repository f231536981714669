import { answers } from '../../lib/callback/refusal.ts';
import { pollProblems } from '../../lib/feed/problem.ts';

/** What no request can cause where every table works and the accounts can be read. */
const ofTheWorld = ['accounts-not-set-up', 'accounts-unavailable', 'stores-unavailable'];
/** It happens to a record, not to a post. */
const ofRecords = ['not-storable'];
/** It happens on the way. */
const ofTheWire = ['timeout', 'connection', 'redirect', 'too-large', 'unsendable'];
/** It happens to a run of ours. */
const ofRuns = ['cut', 'no-polls', 'token-renewed'];

/** Everything that can become of a request or an answer: if nothing ever came to one of them, the changes are too wild. */
export const classes: readonly string[] = [
  'stored',
  'duplicate',
  ...Object.keys(answers)
    .filter((reason) => ![...ofTheWorld, ...ofRecords].includes(reason))
    .map((reason) => `refused: ${reason}`),
  'quarantined: not-storable',
  'answer: read',
  ...pollProblems.filter((reason) => ![...ofTheWire, ...ofRuns].includes(reason)).map((reason) => `answer: ${reason}`),
];
