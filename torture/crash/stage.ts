import { type LocalTables, startLocalTables } from '../world/local-tables.ts';
import { type CentresServer, serveCentres } from './centres-server.ts';

/** What all stories share: the tables, and the address of the contact centres. */
export interface Stage {
  readonly tables: LocalTables;
  readonly centres: CentresServer;
  /** A number that no other story has: by it names and days are told apart. */
  readonly next: () => number;
  readonly close: () => Promise<void>;
}

/** Sets the stage, in the DynamoDB Local at an address, or in one of its own. */
export const setStage = async (elsewhere?: string): Promise<Stage> => {
  const tables = await startLocalTables(elsewhere);
  const centres = await serveCentres();
  let count = 0;
  return {
    ...{ tables, centres },
    next: () => count++,
    async close() {
      await centres.close();
      await tables.stop();
    },
  };
};
