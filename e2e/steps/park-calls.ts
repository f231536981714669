import { logLines } from '../cloud/log-lines.ts';
import { rowsUnder } from '../cloud/rows.ts';
import { functionOf } from '../cloud/stack-resources.ts';
import { whileSet } from '../cloud/while-set.ts';
import { callSummary } from '../examples.ts';
import { holds, same } from '../runner/facts.ts';
import { until } from '../runner/until.ts';
import type { Stage } from '../stage.ts';

const parked = { status: 200, body: { stored: 0, duplicates: 0, quarantined: 0, parked: 1 } };

/** For the receiver there is no table while something happens, only a name that leads nowhere. Recovery has the right one. */
export const whileTableIsGone = async ({ clients }: Stage, act: () => Promise<void>): Promise<void> =>
  whileSet(clients, await functionOf(clients, 'ReceiveCallback'), { CALLS_TABLE: 'no-such-table' }, act);

/** Posts a call that cannot be stored, and sees that it is parked. */
export const postToPark = async ({ api }: Stage, callId: string): Promise<void> =>
  same('The answer to a call while its table is gone', await api.post(callSummary(callId)), parked);

/** Waits until a parked call is in its table. */
export const untilStored = async ({ clients, outputs }: Stage, callId: string): Promise<void> => {
  await until(
    `the parked call ${callId} is in its table`,
    () => rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` }),
    (rows) => rows.length === 1,
  );
};

/** A call that comes while the table is gone is taken, and is in the table once recovery has been there. */
export const parkCalls = async (stage: Stage, callId: string): Promise<void> => {
  await whileTableIsGone(stage, () => postToPark(stage, callId));
  await untilStored(stage, callId);

  // The receiver's role ends at its own table, so that AWS does not even say whether there is another.
  const faults = (await logLines(stage)).filter((line) => line.includes('"where":"call-store"'));
  holds(
    'The role may read no other table',
    faults.some((line) => line.includes('AccessDenied')),
    faults,
  );
};
