import { readdir } from 'node:fs/promises';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshalled, unmarshalled } from '../../functions/adapters/marshalling.ts';
import { feedKey } from '../../lib/floor/keys.ts';
import { localClient } from '../../sandbox/local-client.ts';
import { tableNames } from '../../sandbox/tables.ts';
import { percentile } from '../figures/percentile.ts';
import type { FollowedEvents } from '../sandbox/follow-events.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';
import type { Inspector } from './inspector.ts';
import type { Sample } from './series.ts';

/** Where the values of a sample come from. */
export interface SamplerOptions {
  readonly child: Pick<SandboxChild, 'addresses' | 'pids'>;
  readonly inspector: Pick<Inspector, 'held'>;
  readonly followed: Pick<FollowedEvents, 'lags'>;
  /** The latencies since this was asked last, in milliseconds. */
  readonly latencies: () => readonly number[];
}

const bytesPerMegabyte = 1024 * 1024;

/** How many files and sockets a process has open; 0 where there is no /proc. */
const openFiles = (pid: number): Promise<number> =>
  readdir(`/proc/${pid}/fd`).then(
    ({ length }) => length,
    () => 0,
  );

const pictureAge = async (client: DynamoDBClient, account: string): Promise<number | undefined> => {
  const Key = marshalled({ ...feedKey(account) });
  const { Item } = await client.send(new GetItemCommand({ TableName: tableNames.agents, Key, ConsistentRead: true }));
  const asOf = Item && unmarshalled(Item)['asOf'];
  return typeof asOf === 'string' ? (Date.now() - Date.parse(asOf)) / 1_000 : undefined;
};

/** Takes samples of a sandbox; what has no value since the last sample keeps the one it had. */
export const sampler = ({ child, inspector, followed, latencies }: SamplerOptions) => {
  const client = new DynamoDBClient(localClient(child.addresses.dynamodb));
  const startedAt = performance.now();
  let last = { reply: 0, lag: 0 };
  const middle = (numbers: readonly number[], before: number): number =>
    numbers.length === 0 ? before : percentile(numbers, 0.5);

  return {
    async take(): Promise<Sample> {
      const pollAge = await pictureAge(client, 'demo');
      last = { reply: middle(latencies(), last.reply), lag: middle(followed.lags(), last.lag) };
      const { liveBytes, rssBytes, resources } = await inspector.held();
      const timers = resources.filter((name) => name === 'Timeout').length;

      return {
        at: (performance.now() - startedAt) / 1_000,
        heap: liveBytes / bytesPerMegabyte,
        rss: rssBytes / bytesPerMegabyte,
        timers,
        resources: resources.length - timers,
        files: await openFiles(child.pids.sandbox),
        ...last,
        pollAge,
      };
    },
    close: () => client.destroy(),
  };
};
