import { queueUrl } from './queue/sqs-endpoint.ts';

/** Where everything is. A callback secret is never part of it: `{secret}` stands in its place. */
export interface Addresses {
  readonly gateway: string;
  readonly callbacks: string;
  readonly sandbox: string;
  readonly events: string;
  readonly faults: string;
  readonly dynamodb: string;
  readonly provider: string;
  readonly eventbridge: string;
  readonly sqs: string;
  readonly parkingQueue: string;
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
  parkingQueue: queueUrl(urls.sqs, 'callfeed-parking'),
});
