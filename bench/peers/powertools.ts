import type { Table } from '../../lib/contract/tables.ts';
import { byId, callById } from './by-id.ts';
import { type Peer, peerAccount } from './peer.ts';

/** The table of the idempotency utility, as its documentation has it made. */
const idempotency: Table = { key: { partition: 'id' }, timeToLive: 'expiresAt', published: [], indexes: [] };

/** The same job on Powertools for AWS Lambda: parser, idempotency, logger and metrics. */
export const powertools: Peer = {
  name: 'powertools',
  deployed: (prefix) => ({
    receiver: {
      entry: 'bench/peers/powertools/index.ts',
      environment: (awsUrl) => ({
        AWS_ENDPOINT_URL: awsUrl,
        API_KEY: peerAccount.key,
        CALLS_TABLE: `${prefix}-calls`,
        IDEMPOTENCY_TABLE: `${prefix}-idempotency`,
        BUS_NAME: 'calls',
        POWERTOOLS_SERVICE_NAME: 'calls',
        POWERTOOLS_METRICS_NAMESPACE: 'Calls',
        POWERTOOLS_LOG_LEVEL: 'INFO',
      }),
    },
    tables: { [`${prefix}-calls`]: byId, [`${prefix}-idempotency`]: idempotency },
    callsTable: `${prefix}-calls`,
    locks: { table: `${prefix}-idempotency`, until: 'in_progress_expiration' },
  }),
  callOf: callById,
};
