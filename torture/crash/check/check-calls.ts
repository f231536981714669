import type { Facts } from '../../../lib/record/delivery.ts';
import type { Ending } from '../ending.ts';
import { missing, plainRows } from './plain.ts';

const isStrangers = ({ id }: Facts): boolean => String(id).startsWith('strangers#');

/** It is a hash in which the account takes part. */
const withoutId = ({ id: _id, ...row }: Facts): Facts => row;

/** Every call, participant and entry is there as if nothing had happened, and nothing else is. */
export const checkCalls = (ending: Ending, undisturbed: Ending): readonly string[] => [
  ...differences('a row of calls', ending, undisturbed, (of) => of.rows.calls),
  ...differences('a quarantined body', ending, undisturbed, (of) =>
    of.rows.quarantine.filter((row) => !isStrangers(row)).map(withoutId),
  ),
  ...checkAcknowledged(ending),
  ...checkReceipts(ending),
  ...checkEntries(ending),
  ...checkStrangers(ending),
];

const differences = (what: string, ending: Ending, undisturbed: Ending, rows: (of: Ending) => readonly Facts[]) => {
  const [there, wanted] = [plainRows(ending, rows(ending)), plainRows(undisturbed, rows(undisturbed))];
  return [
    ...missing(wanted, there).map((row) => `${what} is missing or different: ${row}`),
    ...missing(there, wanted).map((row) => `${what} is there that should not be: ${row}`),
  ];
};

const deliveriesOf = ({ deliveries }: Facts): readonly { readonly receivedAt: string }[] =>
  Array.isArray(deliveries) ? deliveries : [];

/** Whatever the story: what was acknowledged is there; only a foreign row in its place leaves it among the dead letters. */
const checkAcknowledged = ({ rows, acknowledged, deadLetters }: Ending): readonly string[] =>
  acknowledged
    .filter((id) => !rows.calls.some(({ kind, callId }) => kind === 'call' && callId === id))
    .filter((id) => !deadLetters.some((body) => body.includes(`"callId":"${id}"`)))
    .map((id) => `the call ${id} was acknowledged and is nowhere`);

/** A delivery was received when it was posted: never later, for instance when it was recovered. */
const checkReceipts = ({ rows, tries }: Ending): readonly string[] =>
  rows.calls
    .flatMap(deliveriesOf)
    .filter(({ receivedAt }) => !tries.includes(receivedAt))
    .map(({ receivedAt }) => `a delivery is said to be received at ${receivedAt}, when nothing was posted`);

/** The entries of further agents come and go with their call, in one revision. */
const checkEntries = ({ rows }: Ending): readonly string[] => {
  const legOf = ({ callId, leg, revision }: Facts): string => JSON.stringify([callId, leg, revision]);
  const legs = new Set(rows.calls.filter(({ kind }) => kind === 'call').map(legOf));
  return rows.calls
    .filter((row) => row['kind'] === 'agent-entry' && !legs.has(legOf(row)))
    .map((entry) => `an agent’s entry is of another revision than its call: ${JSON.stringify(entry)}`);
};

/** What a stranger was told is quarantined is; a post that got no answer may have been, too. */
const checkStrangers = ({ rows, quarantined, statuses }: Ending): readonly string[] => {
  const kept = rows.quarantine.filter((row) => isStrangers(row) && row['body'] !== undefined).length;
  const accounts = rows.quarantine.filter((row) => !isStrangers(row)).length;
  if (kept === 0 || accounts > 0) return [];
  const told = quarantined.reduce((sum, count) => sum + count, 0);
  return told <= kept && kept <= statuses.length ? [] : [`strangers were told of ${told} bodies kept, and ${kept} are`];
};
