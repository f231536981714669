import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { forwardDeliveriesEnv } from '../../functions/forward-deliveries/environment.ts';
import { maxForwardAttempts } from '../../functions/forward-deliveries/forward-delivery.ts';
import { callsTable } from '../../lib/storage/tables.ts';
import type { SandboxFeature } from '../aws/aws-parts.ts';
import type { OwnVariables } from '../functions/function-environment.ts';

/** Forwarding always runs, as an account may get its first address while the sandbox does. */
export const forwarding: SandboxFeature = ({ store, addQueue, addressOf, readQueue, readStream, consoleLog }) => {
  const deadLetters = addQueue('callfeed-forwarding-dead-letters.fifo', 'forwarding-dead-letters.json');
  const queue = addQueue('callfeed-forwarding.fifo', 'forwarding.json', {
    redrive: { maxReceiveCount: maxForwardAttempts, to: deadLetters },
  });
  const { calls } = store.streamArns;
  readStream(calls, callsTable.published, 'forwarding-stream-checkpoints.json', 'forward-deliveries');
  readQueue(
    queue,
    'forward-deliveries',
    { succeeded: 'forwarded', retried: 'forwardRetries' },
    consoleLog.outage(
      'forward',
      'a delivery was not forwarded; it is retried, as in AWS, after 10 seconds and more',
      'deliveries are forwarded again',
    ),
  );

  const variables: OwnVariables<VariablesOf<typeof forwardDeliveriesEnv>> = { FORWARD_QUEUE_URL: addressOf(queue) };
  return {
    addresses: { forwardingQueue: addressOf(queue), forwardingDeadLettersQueue: addressOf(deadLetters) },
    variables: () => variables,
  };
};
