import { jsonAnswer } from '../../sandbox/http/json-answer.ts';
import { serve } from '../../sandbox/http/serve.ts';
import { simulatedFloor } from '../costs/simulated-floor.ts';
import type { Part } from '../part.ts';
import { peerAccount } from '../peers/peer.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startWire } from '../wire/start-wire.ts';
import { contestantsIn } from './contestants.ts';
import { type Started, startOnce } from './start-once.ts';
import { type Start, slowStarts, startTable } from './start-table.ts';

/** As many agents as a middling contact centre has. */
const agents = 100;

/** How long our functions take from the start of their process to the first work and reply, beside what they could be. */
export const start: Part = {
  name: 'start',
  what: 'start of each function, beside an empty handler, its bare AWS clients and two peers',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('bundling');
      const contestants = await contestantsIn(folder);
      const provider = await serve(async () => jsonAnswer(200, JSON.parse(simulatedFloor(agents).answer())));
      const account = { userName: peerAccount.userName, apiKeys: [peerAccount.key], baseUrl: provider.url };
      const wire = await startWire({ secret: JSON.stringify([account]) });
      const rounds: (readonly Started[])[] = [];
      try {
        // The first round fills the caches of the disk.
        for (let round = 0; round <= repetitions; round++) {
          onProgress(`round ${round} of ${repetitions}`);
          const started: Started[] = [];
          for (const contestant of contestants) started.push(await startOnce(contestant, wire.url));
          if (round > 0) rounds.push(started);
        }
      } finally {
        await wire.close();
        await provider.close();
      }
      const starts = contestants.map(
        ({ name, bytes, bare }, index): Start => ({
          name,
          bytes,
          bare,
          rounds: rounds.flatMap((round) => round[index] ?? []),
        }),
      );
      return {
        tables: [{ title: 'From the start of the process, in milliseconds', table: startTable(starts) }],
        data: starts,
        failures: slowStarts(starts),
      };
    }),
};
