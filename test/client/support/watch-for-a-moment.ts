import { createCallfeedClient } from '../../../client/index.ts';

/**
 * A process that aborts one watch in a pause of an hour, and leaves another one by `break`. It ends by itself only if no
 * timer is left.
 */
const client = createCallfeedClient({
  dynamodb: { send: async () => ({ Items: [] }) },
  tables: { calls: 'calls', agents: 'agents' },
  account: 'demo',
});
const stop = new AbortController();
const floors = client.watch({ everySeconds: 3600, signal: stop.signal })[Symbol.asyncIterator]();
await floors.next();
const following = floors.next();
setImmediate(() => {
  process.stdout.write(`paused: ${process.getActiveResourcesInfo().includes('Timeout')}\n`);
  stop.abort();
});
const { done } = await following;
process.stdout.write(`over: ${done}\n`);

for await (const { freshness } of client.watch({ everySeconds: 3600 })) {
  process.stdout.write(`${freshness}\n`);
  break;
}
