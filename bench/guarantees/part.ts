import type { Part, PartOptions } from '../part.ts';
import { bundledPeers } from '../peers/bundled-peers.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { withDynamodb } from '../with-dynamodb.ts';
import { cases } from './cases.ts';
import { type Compared, guaranteesReport } from './guarantees-report.ts';
import { tryPeer } from './try-peer.ts';

const compared = (endpoint: string, { onProgress }: PartOptions): Promise<Compared> =>
  withTemporaryFolder(async (folder) => {
    onProgress('bundling the peers');
    const results: { name: string; findings: Awaited<ReturnType<typeof tryPeer>> }[] = [];
    for (const bundled of await bundledPeers(folder)) {
      onProgress(`trying ${cases.length} cases with ${bundled.peer.name}`);
      results.push({ name: bundled.peer.name, findings: await tryPeer(bundled, cases, endpoint) });
    }
    return results;
  });

/** Which guarantees ours and the peers keep when things go wrong. */
export const guarantees: Part = {
  name: 'guarantees',
  what: 'which guarantees the receivers keep when something goes wrong',
  run: (options) => withDynamodb(async (endpoint) => guaranteesReport(await compared(endpoint, options))),
};
