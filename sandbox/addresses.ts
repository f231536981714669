import { queueNames } from './queue/queue-names.ts';
import { queueUrl } from './queue/sqs-endpoint.ts';

/** Where everything is. A callback secret is never part of it: `{secret}` stands in its place. */
export interface Addresses {
  readonly gateway: string;
  readonly callbacks: string;
  readonly sandbox: string;
  readonly events: string;
  readonly faults: string;
  readonly agents: string;
  readonly dynamodb: string;
  readonly provider: string;
  readonly eventbridge: string;
  readonly sqs: string;
  readonly parkingQueue: string;
  readonly deadLettersQueue: string;
  readonly tickQueue: string;
}

/** The addresses that follow from where each server listens. */
export const addressesOf = (
  urls: Pick<Addresses, 'gateway' | 'dynamodb' | 'provider' | 'eventbridge' | 'sqs'>,
  hasSecret: boolean,
): Addresses => ({
  ...urls,
  callbacks: `${urls.gateway}${hasSecret ? '/{secret}' : ''}/callDetails`,
  sandbox: `${urls.gateway}/_sandbox`,
  events: `${urls.gateway}/_sandbox/events`,
  faults: `${urls.gateway}/_sandbox/faults`,
  agents: `${urls.gateway}/_sandbox/agents`,
  parkingQueue: queueUrl(urls.sqs, queueNames.parking),
  deadLettersQueue: queueUrl(urls.sqs, queueNames.deadLetters),
  tickQueue: queueUrl(urls.sqs, queueNames.ticks),
});
