import { canonicalJson } from '../../../lib/core/canonical-json.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import type { FinalState } from './run-scenario.ts';

/**
 * Of a row that a fault may well change: when something came, and was written, how often, and over how many states. The
 * times of receipt have a check of their own, and so have the revisions.
 */
const byFault = new Set([
  ...['version', 'revision', 'recordedAt', 'firstReceivedAt', 'lastReceivedAt', 'receivedAt', 'expiresAt'],
  ...['since', 'loggedInSince', 'changedAt', 'intervalFrom'],
]);

/** Rows without what a fault may change and without the account's name, as text, in an order. */
export const comparableRows = ({ name }: FinalState, rows: readonly Facts[]): readonly string[] =>
  rows.map((row) => canonicalJson(without(row)).replaceAll(name, 'ACCOUNT')).sort();

const without = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !byFault.has(field))
      .map(([field, inner]) => [field, without(inner)]),
  );
};

/** What one list has and another lacks, shortened. */
const missing = (wanted: readonly string[], there: readonly string[]): readonly string[] => {
  const left = [...there];
  return wanted.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
};

const isStrangers = ({ id }: Facts): boolean => String(id).startsWith('unknown-sender#');

/** It is a hash in which the account takes part. */
const withoutId = ({ id: _id, ...row }: Facts): Facts => row;

/** Every call, participant and entry is there as if nothing had happened, and nothing else is. */
export const checkCalls = (ending: FinalState, undisturbed: FinalState): readonly string[] => [
  ...differences('a row of calls', ending, undisturbed, (of) => of.rows.calls),
  ...differences('a quarantined body', ending, undisturbed, (of) =>
    of.rows.quarantine.filter((row) => !isStrangers(row)).map(withoutId),
  ),
  ...checkAcknowledged(ending),
  ...checkReceipts(ending),
  ...checkEntries(ending),
  ...checkStrangers(ending),
];

const differences = (
  what: string,
  ending: FinalState,
  undisturbed: FinalState,
  rows: (of: FinalState) => readonly Facts[],
) => {
  const [there, wanted] = [comparableRows(ending, rows(ending)), comparableRows(undisturbed, rows(undisturbed))];
  return [
    ...missing(wanted, there).map((row) => `${what} is missing or different: ${row}`),
    ...missing(there, wanted).map((row) => `${what} is there that should not be: ${row}`),
  ];
};

const deliveriesOf = ({ deliveries }: Facts): readonly { readonly receivedAt: string }[] =>
  Array.isArray(deliveries) ? deliveries : [];

/** Whatever the story: what was acknowledged is there; only a foreign row in its place leaves it among the dead letters. */
const checkAcknowledged = ({ rows, acknowledged, deadLetters }: FinalState): readonly string[] =>
  acknowledged
    .filter((id) => !rows.calls.some(({ kind, callId }) => kind === 'call' && callId === id))
    .filter((id) => !deadLetters.some((body) => body.includes(`"callId":"${id}"`)))
    .map((id) => `the call ${id} was acknowledged and is nowhere`);

/** A delivery was received when it was posted: never later, for instance when it was recovered. */
const checkReceipts = ({ rows, tries }: FinalState): readonly string[] =>
  rows.calls
    .flatMap(deliveriesOf)
    .filter(({ receivedAt }) => !tries.includes(receivedAt))
    .map(({ receivedAt }) => `a delivery is said to be received at ${receivedAt}, when nothing was posted`);

/** The entries of further agents come and go with their call, in one revision. */
const checkEntries = ({ rows }: FinalState): readonly string[] => {
  const legOf = ({ callId, leg, revision }: Facts): string => JSON.stringify([callId, leg, revision]);
  const legs = new Set(rows.calls.filter(({ kind }) => kind === 'call').map(legOf));
  return rows.calls
    .filter((row) => row['kind'] === 'agent-entry' && !legs.has(legOf(row)))
    .map((entry) => `an agent’s entry is of another revision than its call: ${JSON.stringify(entry)}`);
};

/** What a stranger was told is quarantined is; a post that got no answer may have been, too. */
const checkStrangers = ({ rows, quarantined, statuses }: FinalState): readonly string[] => {
  const kept = rows.quarantine.filter((row) => isStrangers(row) && row['body'] !== undefined).length;
  const accounts = rows.quarantine.filter((row) => !isStrangers(row)).length;
  if (kept === 0 || accounts > 0) return [];
  const told = quarantined.reduce((sum, count) => sum + count, 0);
  return told <= kept && kept <= statuses.length ? [] : [`strangers were told of ${told} bodies kept, and ${kept} are`];
};

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Each call and participant in a line: its id, how many deliveries it has, and how many revisions they made. */
export const recordLines = (rows: readonly Facts[]): readonly string[] =>
  rows
    .filter(({ kind }) => kind === 'call' || kind === 'participant')
    .map(({ kind, callId, deliveries, revision }) => `${kind} ${callId}: ${countOf(deliveries)} in ${revision}`)
    .sort();
