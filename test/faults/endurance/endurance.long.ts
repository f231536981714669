import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { bodyOf } from '../../../lib/callback/store-or-park.ts';
import { recordOf } from '../../../lib/calls/call-row.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import { DeliveredEvent } from '../../../sandbox/aws/event-bus.ts';
import type { FaultName } from '../../../sandbox/frame/faults.ts';
import { localClient, tableNames } from '../../../sandbox/frame/local-aws.ts';
import type { SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { fork, pick, seededRandom } from '../../../sandbox/simulator/random.ts';
import { seed } from '../../support/arbitraries.ts';
import { allRows } from '../../support/dynamodb-local.ts';
import { root, startProcessTree, until } from '../../support/process-tree.ts';
import { flatness, type Point, percentile } from '../../support/statistics.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { revisionProblems } from '../guarantees.ts';
import { isFull, show } from '../property.ts';

/** Other tests run beside a slice, so that it does not judge speed, timers and waiting connections. */
const size = isFull
  ? { rate: 20, warmUp: 110, steady: 300, sample: 5, faulty: 140, longestFault: 6, hungReplyMs: 3_500 }
  : { rate: 10, warmUp: 1, steady: 4, sample: 0.5, faulty: 1.6, longestFault: 0.6, hungReplyMs: Infinity };

/** How much a series may grow. The publisher’s memory of recent events takes some 2.5 MB until it is cleared. */
const allowed: Readonly<Record<string, number>> = isFull
  ? { heap: 4, resident: 32, timers: 20, resources: 20, files: 20, reply: 10, lag: 100 }
  : { heap: 12, resident: 150 };

const seconds = (count: number) => pause(count * 1_000);

/** Runs in the sandbox's process: answers what it holds after a garbage collection. Open files and sockets are in /proc. */
const observer = `
  import { readdirSync } from 'node:fs';
  import { createServer } from 'node:http';
  const held = () => {
    gc();
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo();
    const timers = resources.filter((kind) => kind === 'Timeout').length;
    const files = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
    const [heap, resident] = [(heapUsed + arrayBuffers) / 2 ** 20, rss / 2 ** 20];
    return { heap, resident, timers, resources: resources.length - timers, files };
  };
  createServer((_, response) => response.end(JSON.stringify(held()))).listen(0, '127.0.0.1', function () {
    console.log('Observed on ' + this.address().port);
  });`;
const Held = z.record(z.string(), z.number());

/** Starts the sandbox as its users do, over the tables in a folder; with the port of an earlier run its address stays. */
const startSandboxChild = async (data: string, port = 0) => {
  const lines: string[] = [];
  const ports = ['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0'];
  const observed = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(observer)}`];
  const { CALLFEED_ACCOUNTS: _accounts, CALLFEED_CALLBACK_SECRET: _secret, ...environment } = process.env;
  const tree = startProcessTree({
    command: process.execPath,
    args: [...observed, 'sandbox/main.ts', '--no-traffic', '--data', data, ...ports],
    folder: root,
    environment,
    onLine: (line) => lines.push(line),
  });
  const found = (pattern: RegExp): string => pattern.exec(lines.join('\n'))?.[1] ?? '';
  try {
    await until(`the sandbox starts: ${lines}`, () => found(/(Ctrl-C stops everything\.)/), Boolean, { seconds: 60 });
    const gateway = found(/POST (http:\/\/127\.0\.0\.1:\d+)/);
    const state = async () => (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
    const { addresses } = await state();
    return {
      addresses,
      state,
      port: Number(new URL(gateway).port),
      held: async () => Held.parse(await (await fetch(`http://127.0.0.1:${found(/Observed on (\d+)/)}`)).json()),
      async setFault(name: FaultName, mode: string, rate = 1) {
        const answer = await fetch(`${addresses.faults}/${name}`, {
          method: 'PUT',
          body: JSON.stringify({ mode, rate }),
        });
        if (!answer.ok) throw new Error(`The sandbox rejected a fault: ${await answer.text()}`);
      },
      /** Ends it at once. DynamoDB Local, which has a guard of its own, ends soon after. */
      async kill() {
        tree.kill();
        await tree.stop();
        const answers = () => fetch(addresses.dynamodb).then(Boolean, () => false);
        await until('DynamoDB Local is gone', answers, (is) => !is);
      },
      stop: tree.stop,
    };
  } catch (error) {
    await tree.stop();
    throw error;
  }
};

type SandboxChild = Awaited<ReturnType<typeof startSandboxChild>>;

const Recorded = z.object({ detail: z.object({ recordedAt: z.string() }) });

/** Follows the bus as a subscriber does, from now on. `lags` has the milliseconds from each row to its event since the last call. */
const followEvents = async ({ addresses }: SandboxChild) => {
  const { body } = await fetch(`${addresses.events}?follow&last=0`);
  const input = Readable.fromWeb(body ?? new ReadableStream());
  const lags: number[] = [];
  createInterface({ input }).on('line', (line) => {
    const event = Recorded.safeParse(tryParseJson(line)).data;
    if (event !== undefined) lags.push(Date.now() - Date.parse(event.detail.recordedAt));
  });
  return { lags: () => lags.splice(0), stop: () => void input.destroy() };
};

/** What is posted: each record has a mark of its own, by which it is found wherever it is stored. */
interface Sent {
  readonly records: readonly object[];
  /** The mark of each record, and the key of its rows; none in quarantine. */
  readonly marks: ReadonlyMap<string, string | undefined>;
  readonly firstSentAt: number;
  acknowledgedAt?: number;
}

const account = { Apikey: 'demo-key', UserName: 'demo' };

/** Three posts in a row are about one call, and become richer. Some bring a participant; some are not understood. */
const postOf = (number: number): Sent => {
  const mark = `mark-${number}-`;
  const firstSentAt = Date.now();
  const id = String(41781234500000000n + BigInt(Math.floor(number / 3)));
  if (number % 20 === 19)
    return { records: [{ ...account, Event: mark }], marks: new Map([[mark, undefined]]), firstSentAt };
  const summary = {
    ...account,
    monitorUCID: id,
    Status: number % 3 === 0 ? 'NotAnswered' : 'Answered',
    Disposition: number % 3 === 2 ? 'Sale' : '',
    AgentID: ['asha', 'asha -> ravi'][number % 2],
    Comments: mark,
  };
  if (number % 4 !== 0) return { records: [summary], marks: new Map([[mark, `demo#${id}`]]), firstSentAt };
  const participant = { UCID: id, CallID: `9${number}`, ExitStatus: 'HANGUP', AgentName: `${mark}leg` };
  const marks = new Map([mark, `${mark}leg`].map((each) => [each, `demo#${id}`]));
  return { records: [summary, participant], marks, firstSentAt };
};

const Counts = z.object({
  stored: z.number(),
  duplicates: z.number(),
  quarantined: z.number(),
  parked: z.number().default(0),
});

/** Sends posts as the service does: what is answered with a 5xx or not at all is sent again. */
const createSender = (url: string) => {
  const sent: Sent[] = [];
  const answers: Record<string, number> = {};
  const failures: string[] = [];
  const latencies: number[] = [];
  const toResend: Sent[] = [];
  let inFlight = 0;

  const send = async (post: Sent) => {
    const startedAt = performance.now();
    inFlight += 1;
    const init = { method: 'POST', body: new URLSearchParams({ data: JSON.stringify(post.records) }) };
    // Longer than the receiver may take for any request.
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) })
      .then(async (answer) => ({
        status: answer.status,
        counts: Counts.safeParse(tryParseJson(await answer.text())).data,
      }))
      .catch(() => undefined);
    inFlight -= 1;
    const ms = performance.now() - startedAt;
    latencies.push(ms);
    const label = `posts answered: ${reply?.status ?? 'not at all'}`;
    answers[label] = (answers[label] ?? 0) + 1;
    const { stored = 0, duplicates = 0, quarantined = 0, parked = 0 } = reply?.counts ?? {};
    if (reply === undefined || reply.status === 503) toResend.push(post);
    else if (reply.status === 200 && stored + duplicates + quarantined + parked === post.marks.size)
      post.acknowledgedAt ??= Date.now();
    else failures.push(`${reply.status} with ${JSON.stringify(reply.counts)} for ${JSON.stringify(post.records)}`);
    return { ms, parked, status: reply?.status };
  };
  const next = (): Sent => {
    const post = postOf(sent.length);
    sent.push(post);
    return post;
  };

  return {
    sent,
    answers,
    failures,
    sendOne: () => send(next()),
    /** Starts a post whenever it is due, without waiting for replies. */
    async during<Of>(act: () => Promise<Of>): Promise<Of> {
      let isOver = false;
      const acting = act().finally(() => {
        isOver = true;
      });
      for (let dueAt = performance.now(); !isOver; dueAt += 1_000 / size.rate) {
        await pause(Math.max(0, dueAt - performance.now()));
        void send(next());
      }
      return acting;
    },
    async resend() {
      await Promise.all(toResend.splice(0).map(send));
    },
    open: () => inFlight + toResend.length,
    latencies: () => latencies.splice(0),
  };
};

type Sender = ReturnType<typeof createSender>;

/** What grew under a steady load, or was late. */
const growthUnderLoad = async (child: SandboxChild, sender: Sender): Promise<readonly string[]> => {
  const events = await followEvents(child);
  const client = new DynamoDBClient(localClient(child.addresses.dynamodb));
  const samples: Record<string, readonly Point[]> = {};
  const ages: number[] = [];
  let polledAt = Date.now();
  try {
    await sender.during(async () => {
      await seconds(size.warmUp);
      sender.latencies();
      events.lags();
      for (let at = 0; at < size.steady; at += size.sample) {
        await seconds(size.sample);
        const medians = { reply: percentile(sender.latencies(), 0.5), lag: percentile(events.lags(), 0.5) };
        for (const [name, value] of Object.entries({ ...(await child.held()), ...medians }))
          samples[name] = [...(samples[name] ?? []), { at, value }];
        const feed = (await allRows(client, tableNames.agents)).find(({ kind }) => kind === 'feed');
        if (feed?.['asOf'] !== undefined) polledAt = Date.parse(String(feed['asOf']));
        ages.push((Date.now() - polledAt) / 1_000);
      }
    });
  } finally {
    events.stop();
    client.destroy();
  }
  const growths = Object.entries(samples).map(
    ([name, points]) => [name, flatness(points, allowed[name] ?? Infinity)] as const,
  );
  show('growth of', Object.fromEntries(growths.map(([name, { growth, bound }]) => [`${name}, of ${bound}`, growth])));
  return [
    ...growths.flatMap(([name, { isFlat, growth }]) => (isFlat ? [] : [`${name} grew by ${growth}`])),
    // There is a poll every 15 seconds, and it takes time.
    ...ages.filter((age) => age > 20).map((age) => `The agents were not polled for ${age} s`),
    ...(isFull && sender.answers['posts answered: 503'] ? ['A post of the steady load was not stored'] : []),
  ];
};

/** While the table hangs, posts are parked within the deadlines, so that the sender does not wait for long. */
const repliesWhileHung = async (child: SandboxChild, sender: Sender): Promise<readonly string[]> => {
  await child.setFault('dynamodb', 'timeout');
  const replies = await Promise.all(Array.from({ length: 5 }, sender.sendOne));
  await child.setFault('dynamodb', 'none');
  const isParked = replies.some(({ parked }) => parked > 0);
  const isInTime = replies.every(({ ms, status }) => status === 200 && ms <= size.hungReplyMs);
  return isParked && isInTime ? [] : [`While the table hung, the replies were ${JSON.stringify(replies)}`];
};

const services = ['dynamodb', 'eventbridge', 'queue'] as const;

/** Faults of table, bus and queue begin and end independently of each other. */
const underFaults = async (child: SandboxChild, random: () => number): Promise<void> => {
  const endsAt = Date.now() + size.faulty * 1_000;
  const faultsOf = async (service: (typeof services)[number], own: () => number): Promise<void> => {
    const some = () => seconds(size.longestFault * (0.2 + 0.8 * own()));
    while (Date.now() < endsAt) {
      await some();
      await child.setFault(service, pick(own, ['throttle', 'error', 'timeout']), pick(own, [0.02, 0.1, 0.3, 0.6, 1]));
      await some();
      await child.setFault(service, 'none');
    }
  };
  await Promise.all(services.map((service) => faultsOf(service, fork(random))));
};

const linesIn = (text: string): readonly string[] => text.split('\n').filter(Boolean);

/** Rows and events, read from outside: the tables through DynamoDB’s port, the events as subscribers receive them. */
const storedState = async ({ addresses }: SandboxChild) => {
  const client = new DynamoDBClient(localClient(addresses.dynamodb));
  try {
    const text = await (await fetch(addresses.events)).text();
    return {
      calls: await allRows(client, tableNames.calls),
      quarantine: (await allRows(client, tableNames.quarantine)).map((row) => QuarantineEntry.parse(row)),
      events: linesIn(text).map((line) => DeliveredEvent.parse(tryParseJson(line))),
    };
  } finally {
    client.destroy();
  }
};

type StoredState = Awaited<ReturnType<typeof storedState>>;

const marksIn = (value: unknown): readonly string[] => JSON.stringify(value).match(/mark-\d+-(?:leg)?/g) ?? [];

/** What was acknowledged is stored once, under its call and with a time of receipt in between; nothing else is. */
const lost = (sent: readonly Sent[], { calls, quarantine }: StoredState): readonly string[] => {
  const rows = calls.filter(({ kind }) => kind === 'call' || kind === 'participant');
  const places = [
    ...rows.flatMap((row) =>
      recordOf(row).deliveries.flatMap(({ facts, receivedAt }) =>
        marksIn(facts).map((mark) => ({ mark, pk: row['pk'], receivedAt: Date.parse(receivedAt) })),
      ),
    ),
    ...quarantine.flatMap((entry) =>
      marksIn(bodyOf(entry)).map((mark) => ({ mark, pk: undefined, receivedAt: Date.parse(entry.receivedAt) })),
    ),
  ];
  const stored = Map.groupBy(places, ({ mark }) => mark);
  const known = new Set(sent.flatMap(({ marks }) => [...marks.keys()]));
  return [
    ...[...stored.keys()].filter((mark) => !known.has(mark)).map((mark) => `${mark} was never posted`),
    ...sent.flatMap(({ marks, firstSentAt, acknowledgedAt }) =>
      [...marks].flatMap(([mark, pk]) => {
        const [found, ...others] = stored.get(mark) ?? [];
        if (found === undefined) return acknowledgedAt === undefined ? [] : [`${mark} was acknowledged and is lost`];
        const isInTime = found.receivedAt >= firstSentAt && found.receivedAt <= (acknowledgedAt ?? Infinity);
        return others.length === 0 && found.pk === pk && isInTime
          ? []
          : [`${mark} of ${pk}, sent at ${firstSentAt}, is ${JSON.stringify([found, ...others])}`];
      }),
    ),
  ];
};

/** Each revision has an event. One comes twice only with the kill between, in the batch that was under way, and is the same. */
const eventProblems = ({ calls, events }: StoredState, killedAfter: number): readonly string[] => {
  const placed = events.map((event, place) => ({ event, place })).filter(({ event }) => 'callId' in event.detail);
  const repeats = [...Map.groupBy(placed, ({ event }) => event.detail['id']).values()].filter(
    ({ length }) => length > 1,
  );
  const wrong = repeats.filter(
    ([one, other, ...more]) =>
      more.length > 0 ||
      !(Number(one?.place) < killedAfter && Number(other?.place) >= killedAfter) ||
      JSON.stringify(one?.event.detail) !== JSON.stringify(other?.event.detail),
  );
  return [
    ...revisionProblems(
      calls,
      events.map(({ detail }) => detail),
    ),
    ...wrong.map(([one]) => `The event ${one?.event.detail['id']} came again without a reason`),
    ...(repeats.length > 100 ? [`${repeats.length} events came twice, more than a batch`] : []),
  ];
};

it('loses nothing under faults and a kill, and memory, handles and latency stay flat', async () => {
  const random = seededRandom(seed);
  const { path: data, remove } = temporaryFolder('endurance');
  let child = await startSandboxChild(data);
  try {
    const sender = createSender(child.addresses.callbacks);
    const failures = [...(await growthUnderLoad(child, sender)), ...(await repliesWhileHung(child, sender))];

    await sender.during(() => underFaults(child, fork(random)));
    // Posts wait for the table, some are parked, and events are rejected, when every process is killed.
    await child.setFault('dynamodb', 'timeout', 0.6);
    await child.setFault('queue', 'error', 0.1);
    await child.setFault('eventbridge', 'throttle', 0.3);
    const before = await sender.during(() => seconds(size.longestFault).then(child.state));
    await child.kill();
    const killedAt = Date.now();
    const killedAfter = linesIn(readFileSync(join(data, 'events.ndjson'), 'utf8')).length;
    child = await sender.during(() => startSandboxChild(data, child.port));
    show('kill', { 'seconds without a sandbox': (Date.now() - killedAt) / 1_000 });
    await sender.during(() => underFaults(child, fork(random)));

    for (const service of services) await child.setFault(service, 'none');
    await until(
      'everything posted is acknowledged, and nothing is parked',
      async () => {
        await sender.resend();
        return { open: sender.open(), parked: (await child.state()).parked };
      },
      ({ open, parked }) => open + parked === 0,
      { seconds: 180, everyMilliseconds: 500 },
    );
    // On a busy machine the last events come late.
    const found = await until(
      'every revision is published',
      async () => {
        const state = await storedState(child);
        return { state, problems: eventProblems(state, killedAfter) };
      },
      ({ problems }) => problems.length === 0,
      { seconds: 60, everyMilliseconds: 1_000 },
    );
    const after = await child.state();
    const providers = [before, after].flatMap(({ provider }) => Object.values(provider));
    show('endurance', { ...sender.answers, rows: found.state.calls.length, events: found.state.events.length });

    expect([...failures, ...sender.failures, ...lost(sender.sent, found.state)].slice(0, 20)).toEqual([]);
    expect(Math.max(before.deadLetters, after.deadLetters)).toBe(0);
    expect(providers.filter(({ overLimit }) => overLimit > 0)).toEqual([]);
    expect(providers.some(({ requests }) => requests > 0)).toBe(true);
    expect(sender.sent.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length).toBeGreaterThan(50);
    expect(found.state.quarantine.length).toBeGreaterThan(0);
    expect(sender.answers['posts answered: not at all']).toBeGreaterThan(0);
  } finally {
    await child.stop();
    remove();
  }
});
