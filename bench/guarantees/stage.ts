import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../sandbox/local-client.ts';
import { httpApiEvent, type Request } from '../../test/support/http-api-event.ts';
import type { BundledPeer } from '../peers/bundled-peers.ts';
import { peerSecret } from '../peers/peer.ts';
import { startPublishing } from '../peers/running/publishing.ts';
import { type Reply, receivers } from '../peers/running/receivers.ts';
import { startWire } from '../wire/start-wire.ts';
import type { FateOf, WireEvent } from '../wire/wire-call.ts';
import { openPeerTables, type PeerTables } from './peer-tables.ts';
import { watched } from './watched-wire.ts';

/** A peer at empty tables, between a sender and an AWS that can fail. What follows the replies is done before a look. */
export interface Stage extends PeerTables {
  request(request: Request): Promise<Reply>;
  /** The same request in two processes at once, of which none is served by DynamoDB before both ask it. */
  requestTwice(request: Request): Promise<readonly Reply[]>;
  /** The process dies as soon as the row is written; nobody is answered. */
  requestAndCrash(request: Request): Promise<void>;
  fail(fateOf?: FateOf): void;
  /** The events of which the detail has a text in it, in order. */
  events(about: string): Promise<readonly WireEvent[]>;
  /** Everything that is kept: every row and every message in a queue, as JSON. */
  kept(): Promise<readonly string[]>;
  /** Everything that was put on the bus, taken or not, as JSON. */
  told(): readonly string[];
  log(): string;
  replies(): readonly string[];
  /** Ends the processes, so that the log is whole. */
  close(): Promise<void>;
}

/** Sets a peer up in tables of its own of a running DynamoDB Local. */
export const openStage = async (bundled: BundledPeer, endpoint: string): Promise<Stage> => {
  const { peer, deployment } = bundled;
  const client = new DynamoDBClient(localClient(endpoint));
  const tables = await openPeerTables(client, peer, deployment);
  const wire = await startWire({ dynamodb: { endpoint, tables: deployment.tables }, secret: peerSecret });
  const seen = watched(wire);
  const log: string[] = [];
  const replies: string[] = [];
  const onOutput = (text: string) => void log.push(text);
  const processes = receivers(bundled.receiver, wire.url, onOutput);
  const publishing = await startPublishing(bundled, { client, endpoint, awsUrl: wire.url }, onOutput);

  const request = async (asked: Request, process?: 'first' | 'second'): Promise<Reply> => {
    const reply = await processes.take(httpApiEvent(asked), process);
    replies.push(reply.body);
    return reply;
  };

  return {
    ...tables,
    request: (asked) => request(asked),
    async requestTwice(asked) {
      const both = Promise.withResolvers<void>();
      let waiting = 0;
      wire.fail(async ({ service }) => {
        if (service !== 'dynamodb') return undefined;
        waiting += 1;
        if (waiting === 2) both.resolve();
        return both.promise.then(() => undefined);
      });
      const answered = await Promise.all([request(asked, 'first'), request(asked, 'second')]);
      wire.fail();
      return answered;
    },
    async requestAndCrash(asked) {
      let isWritten = false;
      wire.fail((asking) => {
        if (isWritten) return 'silent';
        isWritten = tables.storesCall(asking);
        return isWritten ? 'after' : undefined;
      });
      const written = seen.until(tables.storesCall).then(processes.crash);
      await Promise.allSettled([request(asked), written]);
      wire.fail();
      await written;
    },
    fail: wire.fail,
    async call(id) {
      await publishing.catchUp();
      return tables.call(id);
    },
    async events(about) {
      await publishing.catchUp();
      return seen.events().filter(({ detail }) => detail.includes(about));
    },
    async kept() {
      const rows = await tables.rows();
      return [...rows.map((row) => JSON.stringify(row)), ...seen.messages()];
    },
    told: () =>
      seen
        .calls()
        .filter(({ service }) => service === 'eventbridge')
        .map(({ input }) => JSON.stringify(input)),
    log: () => log.join(''),
    replies: () => replies,
    async close() {
      await Promise.all([processes.crash(), publishing.stop()]);
      await wire.close();
      client.destroy();
    },
  };
};
