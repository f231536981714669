import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createCallfeedClient } from '../../client/index.ts';
import { dynamoStores } from '../../functions/adapters/dynamo-stores.ts';
import { storeEnv } from '../../functions/adapters/env.ts';
import { streamBatchSize } from '../../functions/event-sources.ts';
import { endOfSlot, slotOf } from '../../functions/poll-agents/rate-limit.ts';
import type { ReconcileMessage } from '../../functions/reconcile-calls/reconcile-calls.ts';
import { callbackSecretHash } from '../../lib/accounts/callback-secret.ts';
import { parkedIn, type QuarantineEntry, type StorableItem } from '../../lib/callback/schema.ts';
import { bodyOf } from '../../lib/callback/store-or-park.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { recordingOf } from '../../lib/recordings/recording-keys.ts';
import type { RecordingMessage } from '../../lib/recordings/schema.ts';
import { marshalled, type Row } from '../../lib/storage/rows.ts';
import { createQueue, type Queue } from '../../sandbox/queue/queue.ts';
import { sqsRecord } from '../../sandbox/queue/queue-reader.ts';
import { otherAccount, polledAccount, sentinelToken } from '../fixtures/accounts.ts';
import { awsClients } from '../support/aws-clients.ts';
import { dynamodbEndpoint, startLocalTables } from '../support/dynamodb-local.ts';
import { formOf, httpApiEvent, type Request } from '../support/local-servers.ts';
import { decompressed } from '../support/posted-records.ts';
import type { Call, Fault, Instance, ServiceName } from './functions.ts';
import type { DeployedTable } from './memory-dynamodb.ts';
import { type CallEvent, postedValue, type ServiceScript, scriptedService } from './telephony.ts';
import { createLocalWorld, createMemoryWorld, visibilityMilliseconds, type WorldOptions } from './world.ts';

export * from './telephony.ts';

/*
 * The driver of tests: the functions as deployed, over AWS clients whose transport is replaced. Nothing happens unless a test
 * says so: the clock stands still, streams and queues deliver when asked.
 *
 *   const d = await deployment();                        // or { on: 'local' }: the tables are in DynamoDB Local
 *   await d.post(call({ monitorUCID: '42' }).answered());
 *   await d.fail('dynamodb').during(() => d.post(call({ monitorUCID: '42' }).withDisposition('Sale')));
 *   await d.settled();                                   // parked records are recovered, changes are published
 *   expect(await d.row('42')).toMatchObject({ revision: 2 });
 *   expect(await d.events('42')).toEqual([recorded(1), revised(2, ['dispositions'])]);
 *
 *   d.service.answers({ logins: [loggedIn({ asha: 'READY' }), noAnswer('timeout')] });
 *   await d.poll();                                      // a tick in the next slot
 *   d.restart();                                         // new processes, which remember nothing
 *   expect(await d.agents()).toMatchObject({ asha: { state: 'ready' } });
 *
 * Every test checks secrets too: a key or token in a row, message, event, reply or log line makes it fail.
 */

export interface DeploymentOptions extends Partial<Omit<WorldOptions, 'accountsIn' | 'telephony' | 'report' | 'turn'>> {
  readonly on?: 'memory' | 'local';
  /** The callback secret. */
  readonly secret?: string;
  readonly service?: ServiceScript;
}

/** What fails: a service, or one table of DynamoDB. */
export type FailingPart = ServiceName | DeployedTable;

export interface Failure {
  /** Default: it fails without effect. */
  readonly kind?: Fault;
  /** Only calls of this operation, such as `PutItem` or `logins`. */
  readonly operation?: string;
  /** Only calls whose request holds this text, such as a key. */
  readonly holding?: string;
  /** So many calls pass before the first that fails. */
  readonly after?: number;
  /** So many calls fail. Default: all. */
  readonly times?: number;
}

const isAmong = (nth: number, { after = 0, times = Number.POSITIVE_INFINITY }: Failure): boolean =>
  nth >= after && nth < after + times;

/** A line of a function’s log, parsed. */
type LogLine = Readonly<Record<string, unknown>>;

const metricNames = ({ _aws }: LogLine): readonly string[] =>
  [Object(_aws).CloudWatchMetrics ?? []]
    .flat()
    .flatMap(({ Metrics }) => Metrics.map(({ Name }: { Name: string }) => Name));

/** The values of each metric in these lines, in order, as CloudWatch reads them. */
const metricValues = (lines: readonly LogLine[]): Readonly<Record<string, readonly number[]>> => {
  const values: Record<string, number[]> = {};
  for (const line of lines)
    for (const name of metricNames(line)) values[name] = [...(values[name] ?? []), ...[line[name]].flat().map(Number)];
  return values;
};

/** Fictitious people in fixtures, and the host of their recordings. No log may name them. */
const personal = /09000000\d|Asha|Ravi Nair|Meera|recordings\.example\.com/;

/** Services whose requests carry keys. */
const mayHaveKeys: readonly ServiceName[] = ['telephony', 'secrets', 'receiver'];

/** Notes keys where they must not be, and personal data in logs. `check` throws if there were any. */
const leakCheck = (accounts: readonly unknown[]) => {
  const secrets = [...accounts.flatMap((account) => Object(account).apiKeys ?? []), sentinelToken];
  const found: string[] = [];
  const look = (where: string, text: string): void => {
    const readable = decompressed(text);
    const secret = secrets.find((each) => readable.includes(each));
    if (secret !== undefined) found.push(`${where} holds ${secret}: ${readable.slice(0, 500)}`);
    if (where === 'A log line' && personal.test(text)) found.push(`A log line names a person: ${text}`);
  };
  const check = (): void => {
    if (found.length > 0) throw new Error(found.join('\n'));
  };
  return { look, check };
};

const startWorld = async (on: 'memory' | 'local', options: WorldOptions) => {
  if (on === 'memory') return createMemoryWorld(options);
  const tables = await startLocalTables(await dynamodbEndpoint());
  return { ...createLocalWorld(tables, options), close: () => tables.stop() };
};

/** What fails or happens in calls while something runs. `turn` comes before each call takes effect. */
const callRules = (nameOf: (table: DeployedTable) => string) => {
  const rules: ((call: Call) => Fault | undefined)[] = [];
  const made: Call[] = [];
  /** What a test lets happen before the present call takes effect. */
  let meanwhile: (() => unknown) | undefined;

  const concerns = (part: FailingPart, { operation = '', holding = '' }: Failure, call: Call): boolean => {
    if (!call.operation.includes(operation) || !call.body().includes(holding)) return false;
    if (part !== 'calls' && part !== 'agents' && part !== 'quarantine') return call.service === part;
    return call.service === 'dynamodb' && call.body().includes(`"${nameOf(part)}"`);
  };
  /** While `act` runs, each call to these parts has a rule’s fault; `nth` counts those calls from 0. */
  const withRule =
    (parts: FailingPart | readonly FailingPart[], failure: Failure, ruleOf: (nth: number) => Fault | undefined) =>
    async <Outcome>(act: () => Promise<Outcome>): Promise<Outcome> => {
      let seen = 0;
      const rule = (call: Call) =>
        [parts].flat().some((part) => concerns(part, failure, call)) ? ruleOf(seen++) : undefined;
      rules.push(rule);
      try {
        return await act();
      } finally {
        rules.splice(rules.indexOf(rule), 1);
      }
    };

  return {
    made: (): readonly Call[] => made,
    faultFor(call: Call): Fault {
      made.push(call);
      // Every rule counts the call.
      const faults = rules.map((rule) => rule(call));
      return faults.find((fault) => fault !== undefined) ?? 'pass';
    },
    async turn() {
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
    },
    /** While `act` runs, calls to this part fail. */
    fail(part: FailingPart | readonly FailingPart[], failure: Failure = {}) {
      const { kind = 'fail' } = failure;
      return { during: withRule(part, failure, (nth) => (isAmong(nth, failure) ? kind : undefined)) };
    },
    /** While `act` runs, something else happens before calls to this part take effect. It gets the number of the call, from 0. */
    before(part: FailingPart | readonly FailingPart[], of: Omit<Failure, 'kind'>, happens: (nth: number) => unknown) {
      const ruleOf = (nth: number) => {
        if (isAmong(nth, of)) meanwhile = () => happens(nth);
        return undefined;
      };
      return { during: withRule(part, of, ruleOf) };
    },
  };
};

type World = Awaited<ReturnType<typeof startWorld>>;

const clientOf = ({ services }: World) => awsClients((name) => services[name]).dynamodb;

interface Noted {
  readonly lines: readonly LogLine[];
  readonly made: () => readonly Call[];
  readonly leaks: Pick<ReturnType<typeof leakCheck>, 'check'>;
}

/** What a test sees of the service. */
const observed = (world: World, { lines, made, leaks }: Noted) => {
  const rows = async (table: DeployedTable): Promise<readonly Row[]> => world.rows(table);
  const ofKind = async (table: DeployedTable, kind: string) =>
    (await rows(table)).filter((row) => row['kind'] === kind);
  const published = () => {
    leaks.check();
    return world.events().map(({ 'detail-type': type, detail }) => ({ type, detail }));
  };

  return {
    /** Every change of a row so far, in order within a table. */
    changes: () => world.changes(),
    /** Every row of a table. */
    async rows(table: DeployedTable) {
      leaks.check();
      return rows(table);
    },
    /** The row of a call. */
    row: async (callId: string): Promise<Row | undefined> =>
      (await ofKind('calls', 'call')).find((row) => row['callId'] === callId),
    /** The events that the bus accepted, in order. */
    published,
    /** The events of a call: type, revision, changed fields. */
    events: async (callId: string): Promise<readonly CallEvent[]> =>
      published()
        .filter(({ detail }) => detail['callId'] === callId)
        .map(({ type, detail: { revision, changedFields } }) => ({
          type: type as CallEvent['type'],
          revision: Number(revision),
          ...(changedFields !== undefined && { changedFields: changedFields as readonly string[] }),
        })),
    /** The entries in quarantine in the order of receipt, with their bodies as text. */
    async quarantine(): Promise<readonly (QuarantineEntry & Row)[]> {
      leaks.check();
      return (await rows('quarantine'))
        .filter((row): row is QuarantineEntry & Row => row['body'] !== undefined)
        .map((entry) => ({ ...entry, body: bodyOf(entry) }))
        .toSorted((one, other) => (one.receivedAt < other.receivedAt ? -1 : 1));
    },
    /** What is in the parking queue. */
    parked: (): readonly (StorableItem | undefined)[] => world.parking.messages().map(({ body }) => parkedIn(body)),
    /** Somebody sends a message to the parking queue. */
    park: (body: string) => void world.parking.send(body, {}, 0),
    deadLetters: () => world.deadLetters.messages().map(({ body }) => body),
    /** The rows of agents by id. */
    agents: async (): Promise<Readonly<Record<string, Row>>> =>
      Object.fromEntries((await ofKind('agents', 'agent')).map((row) => [String(row['agentId']), row])),
    /** The row with the status of polling an account. */
    feed: async (account = 'demo') => (await ofKind('agents', 'feed')).find((row) => row['pk'] === account),
    snapshots: () => ofKind('agents', 'floor'),
    /** The intervals of an agent’s timeline, in order. */
    intervals: async (agentId: string) =>
      (await ofKind('agents', 'interval'))
        .filter((row) => row['agentId'] === agentId)
        .toSorted((one, other) => (String(one['from']) < String(other['from']) ? -1 : 1)),
    /** The floor as readers see it, through the client of the package. */
    floor: (account = 'demo') =>
      createCallfeedClient({
        dynamodb: clientOf(world),
        account,
        clock: world.now,
        tables: { calls: world.nameOf('calls'), agents: world.nameOf('agents') },
      }).floor(),
    /** How many calls the functions have made to a service. */
    calls: (to: ServiceName): number => made().filter(({ service }) => service === to).length,
    /** The operations that the functions have called so far, in order. */
    operations: (): readonly string[] => made().map(({ operation }) => operation),
    /** The lines of the functions’ logs without metrics. */
    logs: (): readonly LogLine[] => lines.filter(({ message }) => message !== undefined),
    /** Which dependencies the logs say have failed. */
    faults: (): readonly unknown[] => lines.flatMap(({ level, where }) => (level === 'error' ? [where] : [])),
    /** Totals of counters, and the last value of other metrics; by function if one is named. */
    metrics: (of?: string) =>
      mapValues(metricValues(lines.filter((line) => of === undefined || line['function'] === of)), (values, name) =>
        name.endsWith('Seconds') ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0),
      ),
    /** Every value of each metric. */
    measured: () => metricValues(lines),
  };
};

/** Longer than a busy machine takes. */
const patientMs = 50_000;

const maxRounds = 300;

/** How many messages of a queue were delivered, and how many are due still. */
export interface Delivered {
  readonly delivered: number;
  readonly due: number;
}

/** As the rule on the bus asks. */
const hasRecordings = ({ call, participant }: Readonly<Record<string, unknown>>): boolean =>
  [call, participant].some((record) => Object(record).recordings ?? Object(record).conferenceRecordings);

/** Deploys the service. On `local` the tables are Amazon’s, with their real streams; call `stop` in the end. */
export const deployment = async ({
  on = 'memory',
  secret,
  service: script = {},
  accounts = [polledAccount, otherAccount],
  startedAt = '2026-11-20T06:00:01.000Z',
  ...options
}: DeploymentOptions = {}) => {
  const lines: LogLine[] = [];
  const leaks = leakCheck(accounts);
  const { made, faultFor, turn, fail, before } = callRules((table) => world.nameOf(table));
  const service = scriptedService(script, () => world.now());
  const world = await startWorld(on, {
    ...options,
    startedAt,
    accounts,
    accountsIn: 'secret',
    turn,
    telephony: service.telephony,
    report: service.report,
    env: { ...options.env, ...(secret !== undefined && { CALLBACK_SECRET_SHA256: callbackSecretHash(secret) }) },
    onLine(line, at) {
      leaks.look('A log line', line);
      options.onLine?.(line, at);
      lines.push(JSON.parse(line));
    },
  });
  const start = () =>
    world.start((call) => {
      if (!mayHaveKeys.includes(call.service)) leaks.look('A request to AWS', call.body());
      return faultFor(call);
    });
  let running = start();
  const instance = () => {
    if (running.hasCrashed()) running = start();
    return running;
  };
  let seenByArchiving = 0;
  const ticks = createQueue({ name: 'ticks', visibilityMilliseconds, now: () => world.now().getTime() });

  const publish = async (): Promise<void> => {
    await world.caughtUp();
    for (const shard of world.streams.waiting())
      await world.streams.deliver(shard, streamBatchSize, (event) => instance().publish(event));
  };
  const isUnpublished = async () => {
    await world.caughtUp();
    return world.streams.waiting().length > 0;
  };

  let sending = 0;
  const send = async (request: Request) => {
    sending += 1;
    const reply = await world.post(instance(), httpApiEvent(request)).finally(() => {
      sending -= 1;
    });
    leaks.look('A reply', reply?.body ?? '');
    // While others are on their way, time stands still: they would run into their time-out.
    if (sending === 0) world.advance(1_000);
    return reply && { status: reply.statusCode, ...Object(JSON.parse(reply.body || '{}')) };
  };
  const tickFor =
    (process: () => Instance) =>
    async (...sentAt: readonly string[]): Promise<void> => {
      const sent = sentAt.length === 0 ? [world.now().toISOString()] : sentAt;
      for (const _ of sent) ticks.send('tick', {}, 0);
      const messages = ticks.receive(sent.length).map((message, index) => {
        ticks.remove(message.receipt ?? '');
        return sqsRecord('ticks', { ...message, sentAt: Date.parse(sent[index] ?? '') });
      });
      await process().poll({ Records: messages });
      leaks.check();
    };
  const tick = tickFor(instance);
  const poll = async (at?: string) => {
    const nextMs = at === undefined ? endOfSlot(slotOf(world.now())) + 1_000 : Date.parse(at);
    world.advance(Math.max(0, nextMs - world.now().getTime()));
    await tick();
  };
  /** How long the first or the last of these messages is still hidden. */
  const delayOf = (messages: readonly { readonly visibleAt: number }[], which: typeof Math.min): number =>
    Math.max(0, which(...messages.map(({ visibleAt }) => visibleAt)) - world.now().getTime());
  const dueIn = (queue: Pick<Queue, 'messages'>): number =>
    queue.messages().filter(({ visibleAt }) => visibleAt <= world.now().getTime()).length;
  /** Delivers the next message of reconciliation once it is due. False if there is none. */
  const reconcileNext = async (): Promise<boolean> => {
    const messages = world.reconciliation.messages();
    if (messages.length === 0) return false;
    world.advance(delayOf(messages, Math.min));
    await world.reconcile(instance());
    return true;
  };
  const reconcileAll = async (): Promise<number> => {
    let steps = 0;
    for (; await reconcileNext(); steps++) if (steps > maxRounds) throw new Error('The reconciliation never ends');
    return steps;
  };
  const dynamodb = clientOf(world);
  const seen = observed(world, { lines, made, leaks });

  return {
    service,
    startedAt,
    dynamodb,
    fail,
    before,
    /** The names of the tables. */
    tables: { calls: world.nameOf('calls'), agents: world.nameOf('agents'), quarantine: world.nameOf('quarantine') },
    /** The tables as operators’ commands get them. */
    /** A row that another release wrote. */
    put: async (table: DeployedTable, row: Row): Promise<void> =>
      void (await dynamodb.send(new PutItemCommand({ TableName: world.nameOf(table), Item: marshalled(row) }))),
    stores: () =>
      dynamoStores(
        dynamodb,
        storeEnv().parse({ CALLS_TABLE: world.nameOf('calls'), QUARANTINE_TABLE: world.nameOf('quarantine') }),
        world.now,
        patientMs,
      ),
    now: () => world.now().toISOString(),
    /** Time passes, in milliseconds, or until an instant. */
    advance: (to: number | string) =>
      world.advance(typeof to === 'number' ? to : Date.parse(to) - world.now().getTime()),
    /** New processes of all functions: they remember nothing. */
    restart() {
      running = start();
    },
    /** Further processes beside the running ones. */
    startAnother() {
      const process = start();
      return { ...process, tick: tickFor(() => process) };
    },
    /** Replaces the text of the accounts’ secret, or the accounts in it. */
    putAccounts: (next: string | undefined | readonly unknown[]) =>
      world.putSecret(typeof next === 'object' ? JSON.stringify(next) : next),

    /** The service posts a summary, a list or a text in the form field `data`. Undefined if there is no reply. */
    post: (data: unknown, request: Request = {}) => send({ body: formOf(postedValue(data)), ...request }),
    /** Anybody sends any request. Undefined if there is no reply. */
    send,
    /** Ticks arrive that were sent at these instants, by default one that was just sent. */
    tick,
    /** A tick in the next slot, or in that of a later instant. */
    poll,
    /** A tick in each of the next slots. */
    async polls(slots: number) {
      for (let slot = 0; slot < slots; slot++) await poll();
    },
    /** The queue of reconciliation, a message at a time. */
    reconciliation: {
      send: (message: ReconcileMessage) => void world.reconciliation.send(JSON.stringify(message), {}, 0),
      step: reconcileNext,
      rest: reconcileAll,
      messages: (): readonly ReconcileMessage[] => world.reconciliation.messages().map(({ body }) => JSON.parse(body)),
      /** Every message gets lost. */
      lose() {
        world.advance(delayOf(world.reconciliation.messages(), Math.max));
        for (const { receipt = '' } of world.reconciliation.receive(maxRounds)) world.reconciliation.remove(receipt);
      },
    },
    /** The schedule or a person starts reconciliation, which goes on until its queue is empty. Answers how many messages there were. */
    async reconcile(...messages: readonly ReconcileMessage[]) {
      for (const message of messages.length === 0 ? [{ kind: 'all' } as const] : messages)
        world.reconciliation.send(JSON.stringify(message), {}, 0);
      return reconcileAll();
    },
    /** Each stream delivers once what it has. It keeps what fails. */
    publish,
    /**
     * The changes of calls are delivered to forwarding once, by another process if one is given, and each message that is due, or the
     * first `most`. Answers how many messages were delivered, and how many are due still.
     */
    async forward(by?: Pick<Instance, 'forward'>, most = Number.POSITIVE_INFINITY): Promise<Delivered> {
      await world.caughtUp();
      const { forwardStreams: streams, forwarding: queue } = world;
      for (const shard of streams.waiting())
        await streams.deliver(shard, streamBatchSize, (event) => (by ?? instance()).forward(event));
      const state = () => queue.messages().reduce((sum, { receiveCount }) => sum + receiveCount + 1, 0);
      let delivered = 0;
      for (let before = -1; before !== state() && delivered < most; ) {
        before = state();
        await world.forward(instance());
        if (before !== state()) delivered++;
      }
      leaks.check();
      return { delivered, due: dueIn(queue) };
    },
    /**
     * The calls with recordings whose events were not seen before go to archiving, and each message that is due is delivered, or the
     * first `most`. Answers as `forward` does.
     */
    async archive(by?: Instance, most = Number.POSITIVE_INFINITY): Promise<Delivered> {
      for (const { detail } of world.events().slice(seenByArchiving)) {
        const { account, callId } = detail;
        if (hasRecordings(detail)) world.recordingQueue.send(JSON.stringify({ account, callId }), {}, 0);
      }
      seenByArchiving = world.events().length;
      let delivered = 0;
      for (; dueIn(world.recordingQueue) > 0 && delivered < most; delivered++) {
        if (delivered > maxRounds) throw new Error('The archiving never ends');
        await world.archive(by ?? instance());
      }
      leaks.check();
      return { delivered, due: dueIn(world.recordingQueue) };
    },
    /** When the next message of archiving is due (ISO instant); undefined if none waits. */
    nextArchiving(): string | undefined {
      const times = world.recordingQueue.messages().map(({ visibleAt }) => visibleAt);
      return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString();
    },
    /** Somebody sends a call to archiving. */
    requestArchiving: (message: RecordingMessage) => void world.recordingQueue.send(JSON.stringify(message), {}, 0),
    /** The bucket's objects by key, what was asked for, and the dead letters. */
    recordings: () => ({
      ...world.recordings,
      letters: world.recordingDeadLetters.messages().map(({ body }) => JSON.parse(body)),
      rows: async () => (await seen.rows('calls')).filter(({ kind }) => kind === 'recording').map(recordingOf),
    }),
    /** How many messages of forwarding wait, and how many are dead letters. */
    forwarding: () => ({
      waiting: world.forwarding.messages().length,
      dead: world.forwardDeadLetters.messages().length,
    }),
    /** Parked messages are delivered to recovery once. */
    recover: () => world.recover(instance()),
    /** Parked messages are delivered until none is left, and changes until all are published. */
    async settled() {
      for (let rounds = 0; world.parking.messages().length > 0 || (await isUnpublished()); rounds++) {
        if (rounds > maxRounds) throw new Error('A parked message or a change is delivered in vain');
        await world.recover(instance());
        await publish();
        if (world.parking.messages().length > 0) world.advance(visibilityMilliseconds);
      }
      leaks.check();
    },

    ...seen,
    stop: () => world.close(),
  };
};

/** The service as deployed, in the hands of a test. */
export type Deployment = Awaited<ReturnType<typeof deployment>>;
