import type { TelephonyService } from '../../lib/ports.ts';
import { fail } from '../../lib/result.ts';
import { dynamodbFaults } from '../../sandbox/dynamodb/dynamodb-faults.ts';
import type { Answer, Handle } from '../../sandbox/http/serve.ts';
import { sqsFaults } from '../../sandbox/queue/sqs.ts';
import type { Carry } from './aws-clients.ts';
import { Death, type Life } from './life.ts';
import { carryPartially } from './partially.ts';

/** The services of AWS, each by how it answers. */
export type Services = Readonly<Record<'dynamodb' | 'sqs' | 'eventbridge', Handle>>;

const failures: Readonly<
  Record<'dynamodb' | 'sqs' | 'eventbridge', { readonly error: Answer; readonly throttle?: Answer }>
> = {
  dynamodb: dynamodbFaults,
  sqs: sqsFaults,
  eventbridge: {
    error: {
      status: 500,
      body: JSON.stringify({ __type: 'InternalException', message: 'An internal error occurred.' }),
    },
    throttle: { status: 400, body: JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }) },
  },
};

/** Carries the requests of one life to a service of AWS. */
export const fatedCarry =
  ({ live }: Pick<Life, 'live'>, services: Services) =>
  (service: keyof Services): Carry =>
  (request) =>
    live(service, request.operation, async (fate) => {
      const toService: Carry = ({ headers, body }) =>
        services[service]({ method: 'POST', path: '/', headers: { ...headers }, body });
      if (fate === 'fail') return failures[service].error;
      if (fate === 'throttle') return failures[service].throttle ?? failures[service].error;
      return fate === 'partial' ? carryPartially(toService, request) : toService(request);
    });

/** The telephony service as one life reaches it. */
export const fatedTelephony = ({ live }: Pick<Life, 'live'>, telephony: TelephonyService): TelephonyService => ({
  post: async (request) =>
    live('telephony', request.url, async (fate) => {
      if (fate === 'fail') return fail({ reason: 'connection' as const });
      return telephony.post(request);
    }).catch((error: unknown) => {
      if (error instanceof Death) throw error;
      return fail({ reason: 'timeout' as const });
    }),
});
