import { createCallfeedClient } from '../../../client/index.ts';

/** What the clock of that client says. */
export const refusingNow = '2026-11-22T09:00:00.000Z';

/** A client that must find out by itself that it is asked for nothing: DynamoDB is never asked. */
export const refusingClient = () =>
  createCallfeedClient({
    dynamodb: {
      send: () => {
        throw new Error('DynamoDB was asked');
      },
    },
    tables: { calls: 'calls', agents: 'agents' },
    account: 'demo',
    clock: () => new Date(refusingNow),
  });
