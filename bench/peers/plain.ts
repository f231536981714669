import { byId, callById } from './by-id.ts';
import { type Peer, peerAccount } from './peer.ts';

/** The receiver that teams write: parse, compare the key, put, put events, reply. */
export const plain: Peer = {
  name: 'plain',
  deployed: (prefix) => ({
    receiver: {
      entry: 'bench/peers/plain/index.ts',
      environment: (awsUrl) => ({
        AWS_ENDPOINT_URL: awsUrl,
        API_KEY: peerAccount.key,
        CALLS_TABLE: `${prefix}-calls`,
        BUS_NAME: 'calls',
      }),
    },
    tables: { [`${prefix}-calls`]: byId },
    callsTable: `${prefix}-calls`,
  }),
  callOf: callById,
};
