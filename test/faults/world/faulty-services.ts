import type { TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import { fail } from '../../../lib/core/result.ts';
import { dynamodbFaults } from '../../../sandbox/dynamodb/proxy.ts';
import type { Answer, Handle } from '../../../sandbox/http/serve.ts';
import { sqsFaults } from '../../../sandbox/queue/sqs.ts';
import type { Carry, WireRequest } from './aws-clients.ts';
import { type FaultyProcess, ProcessDeath } from './fault.ts';

type Json = Readonly<Record<string, unknown>>;

/** How a batch operation takes some of its entries and says so of the others. */
interface Batch {
  readonly entriesOf: (input: Json) => readonly unknown[];
  readonly withEntries: (input: Json, entries: readonly unknown[]) => Json;
  /** The whole answer, from the answer to what was taken; `isTaken` has a place for each entry. */
  readonly answer: (taken: Json, input: Json, isTaken: readonly boolean[]) => Json;
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const entriesOf = ({ Entries }: Json): readonly unknown[] => listIn(Entries);

const batches: Readonly<Record<string, Batch>> = {
  PutEvents: {
    entriesOf,
    withEntries: (input, Entries) => ({ ...input, Entries }),
    answer: (taken, _input, isTaken) => {
      const answers = [...entriesOf(taken)];
      const refused = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
      const Entries = isTaken.map((is) => (is ? answers.shift() : refused));
      return { FailedEntryCount: isTaken.filter((is) => !is).length, Entries };
    },
  },
  SendMessageBatch: {
    entriesOf,
    withEntries: (input, Entries) => ({ ...input, Entries }),
    answer: (taken, input, isTaken) => ({
      ...taken,
      Failed: entriesOf(input)
        .filter((_, index) => !isTaken[index])
        .map((entry) => ({ Id: Object(entry).Id, Code: 'InternalError', SenderFault: false })),
    }),
  },
  BatchWriteItem: {
    entriesOf: ({ RequestItems }) => Object.values(Object(RequestItems)).flatMap(listIn),
    withEntries: ({ RequestItems }, entries) => ({
      RequestItems: Object.fromEntries(Object.keys(Object(RequestItems)).map((table) => [table, entries])),
    }),
    answer: (_taken, input, isTaken) => ({
      UnprocessedItems: Object.fromEntries(
        Object.entries(Object(input['RequestItems'])).map(([table, requests]) => [
          table,
          listIn(requests).filter((_, index) => !isTaken[index]),
        ]),
      ),
    }),
  },
};

/** Has a service take every second entry of a batch, beginning with the first, and refuse the others; anything else, whole. */
const acceptPartially = async (carry: Carry, request: WireRequest): Promise<Answer> => {
  const batch = batches[request.operation];
  const input: Json = JSON.parse(request.body.toString());
  const entries = batch?.entriesOf(input) ?? [];
  if (batch === undefined || entries.length < 2) return carry(request);

  const isTaken = entries.map((_, index) => index % 2 === 0);
  const taken = batch.withEntries(
    input,
    entries.filter((_, index) => isTaken[index]),
  );
  const answer = await carry({ ...request, body: Buffer.from(JSON.stringify(taken)) });
  if (answer.status !== 200) return answer;
  const told = batch.answer(JSON.parse(String(answer.body)), input, isTaken);
  return { ...answer, body: JSON.stringify(told) };
};

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
export const faultyCarry =
  ({ live }: Pick<FaultyProcess, 'live'>, services: Services) =>
  (service: keyof Services): Carry =>
  (request) =>
    live(service, request.operation, async (fate) => {
      const toService: Carry = ({ headers, body }) =>
        services[service]({ method: 'POST', path: '/', headers: { ...headers }, body });
      if (fate === 'fail') return failures[service].error;
      if (fate === 'throttle') return failures[service].throttle ?? failures[service].error;
      return fate === 'partial' ? acceptPartially(toService, request) : toService(request);
    });

/** The telephony service as one life reaches it. */
export const faultyTelephony = (
  { live }: Pick<FaultyProcess, 'live'>,
  telephony: TelephonyService,
): TelephonyService => ({
  post: async (request) =>
    live('telephony', request.url, async (fate) => {
      if (fate === 'fail') return fail({ reason: 'connection' as const });
      return telephony.post(request);
    }).catch((error: unknown) => {
      if (error instanceof ProcessDeath) throw error;
      return fail({ reason: 'timeout' as const });
    }),
});
