import type { Part } from '../part.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { withDynamodb } from '../with-dynamodb.ts';
import { bundledPeers } from './bundled-peers.ts';
import { type ComparedPeer, comparedPeers } from './compared.ts';
import { peersTable } from './peers-table.ts';

/** Ours is to ask one thing of AWS before it replies. */
const failuresOf = ([ours]: readonly ComparedPeer[]): readonly string[] => {
  const calls = ours?.work.first.callsBeforeReply;
  return calls === 1 ? [] : [`A new call takes ${calls} AWS calls before the reply; the bar is exactly 1.`];
};

/** What a callback takes with ours and with what a team would otherwise deploy. */
export const peers: Part = {
  name: 'peers',
  what: 'size, AWS calls, write units and CPU of a callback, beside two other receivers',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling the peers');
      const bundles = await bundledPeers(folder);
      return withDynamodb(async (endpoint) => {
        const compared = await comparedPeers(bundles, endpoint, repetitions, onProgress);
        return {
          tables: [{ title: 'One callback, and what it takes', table: peersTable(compared) }],
          data: compared,
          failures: failuresOf(compared),
        };
      });
    }),
};
