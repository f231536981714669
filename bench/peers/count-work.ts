import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTables } from '../../sandbox/dynamodb/create-tables.ts';
import { localClient } from '../../sandbox/local-client.ts';
import { formOf, httpApiEvent } from '../../test/support/http-api-event.ts';
import { startWire } from '../wire/start-wire.ts';
import type { WireCall } from '../wire/wire-call.ts';
import type { BundledPeer } from './bundled-peers.ts';
import { callbacks } from './callbacks.ts';
import { peerSecret } from './peer.ts';
import { startPublishing } from './running/publishing.ts';
import { receivers } from './running/receivers.ts';

/** What one callback takes of AWS. */
export interface Work {
  readonly callsBeforeReply: number;
  /** With what runs after the reply. */
  readonly calls: number;
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  readonly events: number;
}

/** What callbacks of each kind take: of a new call, the same once more, and the call with its disposition. */
export type CountedWork = Readonly<Record<'first' | 'repeat' | 'revision', Work>>;

/** Counts at the wire what a peer asks of AWS, at empty tables of a running DynamoDB Local. */
export const countWork = async (bundled: BundledPeer, endpoint: string): Promise<CountedWork> => {
  const { tables } = bundled.deployment;
  const client = new DynamoDBClient(localClient(endpoint));
  await createTables(client, tables);
  const wire = await startWire({ dynamodb: { endpoint, tables }, secret: peerSecret });
  const noOutput = () => undefined;
  const processes = receivers(bundled.receiver, wire.url, noOutput);
  const publishing = await startPublishing(bundled, { client, endpoint, awsUrl: wire.url }, noOutput);

  const take = async (data: string): Promise<Work> => {
    const { status, body } = await processes.take(httpApiEvent({ body: formOf(data) }));
    if (status !== 200) throw new Error(`${bundled.peer.name} answered ${status}: ${body}`);
    const before = wire.taken();
    await publishing.catchUp();
    return workOf(before, wire.taken());
  };

  try {
    // The first one reads the secret, which is cached from then on.
    await take(callbacks.another);
    return {
      first: await take(callbacks.first),
      repeat: await take(callbacks.first),
      revision: await take(callbacks.revision),
    };
  } finally {
    await Promise.all([processes.crash(), publishing.stop()]);
    await wire.close();
    client.destroy();
  }
};

const workOf = (before: readonly WireCall[], after: readonly WireCall[]): Work => {
  const all = [...before, ...after];
  const sum = (of: (call: WireCall) => number) => all.reduce((total, call) => total + of(call), 0);
  return {
    callsBeforeReply: before.length,
    calls: all.length,
    writeUnits: sum(({ writeUnits }) => writeUnits),
    indexWriteUnits: sum(({ indexWriteUnits }) => indexWriteUnits),
    events: sum(({ events }) => events.length),
  };
};
