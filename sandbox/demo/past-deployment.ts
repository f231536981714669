import { readEnv } from '../../functions/adapters/env.ts';
import type { BufferedTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { secretAccounts } from '../../functions/adapters/secret-accounts.ts';
import { createPollHandler } from '../../functions/poll-agents/app.ts';
import { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import { pollAgents } from '../../functions/poll-agents/poll-agents.ts';
import { createReceiveHandler } from '../../functions/receive-callback/app.ts';
import { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import { receiveCallback } from '../../functions/receive-callback/receive-callback.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import { callbackSecretHash } from '../../lib/accounts/callback-secret.ts';
import type { ParkingQueue, Stores } from '../../lib/callback/store-or-park.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import { ok } from '../../lib/core/result.ts';
import type { BusEvent } from '../../lib/publish/events-of-change.ts';
import type { ServiceRequest, TelephonyService } from '../../lib/service/service.ts';
import type { Item } from '../../lib/storage/rows.ts';
import { agentsTable, callsTable } from '../../lib/storage/tables.ts';
import { tableNames } from '../frame/local-aws.ts';
import { httpApiEvent } from '../functions/http-api-event.ts';
import { lambdaContext } from '../functions/load-function.ts';
import { loginRow, successAnswer } from '../simulator/answers.ts';
import type { LoggedIn } from '../simulator/centre.ts';
import type { Wire } from '../simulator/posts.ts';
import { type ChangedRow, createMemoryTable } from './memory-table.ts';
import { createPastPublisher, runMs } from './past-publisher.ts';

export interface PastSettings {
  /** With the address at which they are polled. */
  readonly accounts: readonly Account[];
  readonly callbackSecret: string | undefined;
  /** The rows that the tables have already, as far as they matter. */
  readonly stored: { readonly calls: readonly Item[]; readonly agents: readonly Item[] };
  /** Who is logged in at an account at an instant. */
  readonly loggedIn: (userName: string, at: number) => readonly LoggedIn[];
}

/** What came of some time: the rows that changed, as they are at its end, and the events in the order of their publication. */
export interface PlayedOutcome {
  readonly calls: readonly ChangedRow[];
  readonly agents: readonly ChangedRow[];
  readonly events: readonly BusEvent[];
}

/**
 * The functions as deployed, over tables in memory, and with a clock that stands at the instant of each post and poll. Changes are
 * published at once. A fault of a dependency cannot happen here, so one is thrown.
 */
export const createPastDeployment = ({ accounts, callbackSecret, stored, loggedIn }: PastSettings) => {
  let nowMs = 0;
  const clock = (): Date => new Date(nowMs);
  const calls = createMemoryTable(stored.calls);
  const agents = createMemoryTable(stored.agents);
  const environment = {
    CALLS_TABLE: tableNames.calls,
    QUARANTINE_TABLE: tableNames.quarantine,
    AGENTS_TABLE: tableNames.agents,
    // A token would be decrypted for each of thousands of polls. The first poll of the present gets one.
    CALLFEED_ACCOUNTS: JSON.stringify(accounts.map((account) => ({ ...account, token: { kind: 'none' } }))),
    PARKING_QUEUE_URL: 'http://127.0.0.1/parking',
    CALLBACK_SECRET_SHA256: callbackSecret === undefined ? undefined : callbackSecretHash(callbackSecret),
  };
  const env = { ...readEnv(receiveCallbackEnv, environment), ...readEnv(pollAgentsEnv, environment) };
  const accountsOf = (secretHashes?: string) => secretAccounts(noSecrets, env, { clock, telemetry, secretHashes });

  const stores: Stores = {
    calls: { record: recordDelivery({ clock, rows: calls.rows, retentionDays: env.CALL_RETENTION_DAYS }) },
    quarantine: { store: () => unexpected('A post of the demonstration was quarantined') },
    deadline: () => never,
  };
  const receive = createReceiveHandler({
    telemetry,
    secretSha256: env.CALLBACK_SECRET_SHA256,
    receive: receiveCallback({
      clock,
      telemetry,
      ...stores,
      parking,
      accounts: accountsOf(env.CALLBACK_SECRET_SHA256),
    }),
  });

  const service: TelephonyService = {
    async post(request) {
      const { body } = successAnswer(loggedIn(accountOf(request), nowMs).map(loginRow));
      return ok({ status: 200, text: String(body) });
    },
  };
  const poll = createPollHandler({
    clock,
    telemetry,
    poll: pollAgents({
      env,
      clock,
      telemetry,
      service,
      accounts: accountsOf(),
      table: agents.agents,
      pause: () => unexpected('A poll of the demonstration had to wait'),
    }),
  });

  const publisher = createPastPublisher({ agents, clock, telemetry });

  return {
    /** Receives a post as the receiver would have at that instant. */
    async post(at: number, { contentType, query, body }: Wire) {
      nowMs = at;
      const secretPath = callbackSecret === undefined ? '' : `/${encodeURIComponent(callbackSecret)}`;
      const event = httpApiEvent(
        {
          method: 'POST',
          url: `${secretPath}/callDetails${query === '' ? '' : `?${query}`}`,
          httpVersion: '1.1',
          headers: { host: '127.0.0.1', 'content-type': contentType },
          sourceIp: '127.0.0.1',
          body: Buffer.from(body),
        },
        clock(),
      );
      // The handler's first middleware parses body and query.
      const answer = await receive(event as Parameters<typeof receive>[0], lambdaContext('receive-callback', runMs));
      if (answer.statusCode !== 200) throw new Error(`A post of the demonstration was answered ${answer.statusCode}.`);
      await publisher.publish(calls.takeWritten(), callsTable.published);
    },
    /** Polls every account as the tick of that instant would have. */
    async poll(at: number) {
      nowMs = at;
      const tick = { messageId: 'tick', body: 'tick', attributes: { SentTimestamp: String(at) } };
      // A poll reads nothing else of a message.
      await poll({ Records: [tick] } as Parameters<typeof poll>[0], lambdaContext('poll-agents', runMs));
      await publisher.publish(agents.takeWritten(), agentsTable.published);
    },
    eventCount: publisher.eventCount,
    /** What came since this was last asked. */
    takeOutcome(): PlayedOutcome {
      return { calls: calls.takeChanged(), agents: agents.takeChanged(), events: publisher.takeEvents() };
    },
  };
};

export type PastDeployment = ReturnType<typeof createPastDeployment>;

const never = new AbortController().signal;

const unexpected = async (what: string): Promise<never> => {
  throw new Error(what);
};

const noSecrets = { send: () => unexpected('The demonstration has its accounts in the environment') };

const parking: ParkingQueue = { reservedMs: 0, park: () => unexpected('A post of the demonstration was parked') };

const telemetry: BufferedTelemetry = {
  log: () => undefined,
  count: () => undefined,
  measure: () => undefined,
  flush: () => undefined,
  fault(where, error) {
    throw new Error(`The demonstration failed: ${where}`, { cause: error });
  },
};

const accountOf = ({ body }: ServiceRequest): string => String(Object(JSON.parse(body)).userName);
