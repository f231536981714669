import type { FloorState } from '../../lib/agent-login/states.ts';
import type { AgentInState } from '../../lib/contract/rows.ts';
import { stateKey } from '../../lib/floor/keys.ts';
import { readAgentInState } from '../reading/row-readers.ts';
import { byState } from '../reading/table-keys.ts';
import { allRows, type TableReader } from '../reading/table-reader.ts';

/** The agents in a state, the longest in it first. */
export const readAgentsInState = async (
  table: TableReader,
  account: string,
  state: FloorState,
): Promise<readonly AgentInState[]> =>
  (await allRows(table, { ...byState, partition: stateKey(account, state) })).map(readAgentInState);
