import type { Fault } from '../../sandbox/simulator/service/fault.ts';
import { partition } from './agents-queries.ts';
import { agentsReader } from './agents-reader.ts';
import { agentsTold } from './agents-told.ts';
import { startCentre } from './polled-centre.ts';
import { startTestTables } from './sandbox-dynamodb.ts';

/** Three agents. */
export const team = [
  member('asha', 'Asha Rao', 'READY', ['Sales', 'Support']),
  member('meera', 'Meera Iyer', 'Idle', ['Support']),
  member('ravi', 'Ravi Nair', 'ACW', []),
];

/** What they are doing. */
export const teamStates = { asha: 'ready', meera: 'idle', ravi: 'acw' };

function member(agentId: string, name: string, state: string, skills: string[]) {
  return { action: 'log-in' as const, agentId, name, state, skills, phoneNumber: `09000000${name.length}` };
}

/** Tables in which accounts of such teams are polled, and the publisher at their stream. */
export const startTeams = async () => {
  const tables = await startTestTables();
  const reader = agentsReader(tables.client, tables.tableNames.agents);
  const told = await agentsTold(tables);

  const polledTeam = async (userName: string) => {
    let fault: Fault = 'none';
    const centre = await startCentre(tables, { userName, fault: () => fault });
    centre.script(...team);
    await centre.poll();

    return {
      ...centre,
      /** The agents' rows, the state of each, and the feed's row. */
      async floor() {
        const { rows } = await reader.query(partition(userName));
        const agents = rows.filter(({ kind }) => kind === 'agent');
        const states = Object.fromEntries(agents.map(({ agentId, state }) => [agentId, state]));
        return { agents, states, feed: rows.find(({ kind }) => kind === 'feed') };
      },
      setFault(mode: Fault) {
        fault = mode;
        if (mode === 'timeout') centre.expectSilence();
        else centre.expectAnswers();
      },
      /** What was told since they logged in. */
      events: async () => (await told.events(userName)).slice(team.length),
    };
  };
  return {
    polledTeam,
    async stop() {
      told.stop();
      await tables.stop();
    },
  };
};

export type Teams = Awaited<ReturnType<typeof startTeams>>;
