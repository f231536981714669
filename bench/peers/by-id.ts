import * as z from 'zod';
import type { Table } from '../../lib/contract/tables.ts';
import type { Peer } from './peer.ts';

/** One row for a call, found by its id and by nothing else. */
export const byId: Table = { key: { partition: 'monitorUCID' }, timeToLive: 'expiresAt', published: [], indexes: [] };

const Row = z.object({
  monitorUCID: z.string(),
  Status: z.string().optional(),
  AudioFile: z.string().optional(),
  Disposition: z.string().optional(),
});

/** Reads a row that holds a summary in the sender's words. */
export const callById: Peer['callOf'] = (row) => {
  const call = Row.safeParse(row).data;
  return (
    call && {
      id: call.monitorUCID,
      isAnswered: call.Status === 'Answered',
      recordings: call.AudioFile ? call.AudioFile.split(',') : [],
      disposition: call.Disposition || undefined,
    }
  );
};
