import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { consoleApi } from '../../../cli/console/api.ts';
import { features } from '../../../cli/features.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { ownVersion } from '../../../cli/frame/version-fit.ts';
import { accountIndex, accountsKey, namedAccounts } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { addDays } from '../../../lib/core/time.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { queueAddress } from '../../../sandbox/queue/sqs-endpoint.ts';
import { loggedIn, scriptedService } from '../../deployment/telephony.ts';
import { createMemoryWorld } from '../../deployment/world.ts';
import { awsClients } from '../../support/aws-clients.ts';
import { formOf, httpApiEvent } from '../../support/local-servers.ts';
import { cli } from '../support/cli-run.ts';
import { dynamodbOf, stubDeployment, withoutWaiting } from '../support/local-deployment.ts';
import { callsOf, callsOfOthers, laterCall } from './calls-of-days.ts';
import { wallClock } from './clocks.ts';

/** A day that is not over, the days before it that have calls, and the zone on whose clocks they are days. */
export interface CentreTime {
  readonly timeZone: string;
  /** To the second, as the calls have it: one begins at the same local time a week before. */
  readonly now: string;
  readonly today: string;
  /** On which the clocks change, if they do. */
  readonly changeDay?: string;
}

/** What a shell makes something else of, unless it is quoted. */
const userName = "O'Neil & $(id)";

const accountsIn = (timeZone: string): readonly [Account, Account] => {
  const baseUrl = 'https://service.invalid';
  return [
    { userName, apiKeys: ['first-key'], timeZone, country: 'GB', baseUrl, token: { kind: 'none' } },
    { userName: 'other', apiKeys: ['other-key'], timeZone, country: 'GB', baseUrl, token: { kind: 'none' } },
  ];
};

const minuteMs = 60_000;

/** Who is logged in, by minutes before now: enough for every kind of interval, an interruption, and somebody who has left. */
const polls: readonly (readonly [minutesAgo: number, states: Readonly<Record<string, string>> | undefined])[] = [
  [110, { asha: 'READY', ravi: 'READY' }],
  [100, { asha: 'INCALL', ravi: 'READY', 'li & co': 'PAUSE' }],
  [60, undefined],
  [45, { asha: 'READY', 'li & co': 'PAUSE' }],
  [30, { asha: 'ACW', ravi: 'READY', 'li & co': 'READY' }],
  [15, { asha: 'ACW', ravi: 'PAUSE', 'li & co': 'READY' }],
  [0, { asha: 'ACW', 'li & co': 'READY' }],
];

type Quarantined = Pick<QuarantineEntry, 'reason'> & Partial<QuarantineEntry> & { readonly minutesAgo: number };

/** Of two accounts, of the secret address, harmless, and dismissed. */
const quarantined: readonly (Quarantined & { readonly dismissedMinutesAgo?: number })[] = [
  ...[300, 150, 149, 140, 90, 20].map((minutesAgo) => ({
    minutesAgo,
    reason: 'broken-json' as const,
    account: userName,
  })),
  ...[148, 21, 19].map((minutesAgo) => ({ minutesAgo, reason: 'broken-json' as const, account: 'other' })),
  { minutesAgo: 15, reason: 'unknown-key', viaSecret: true, body: '{"monitorUCID":"2"}' },
  { minutesAgo: 13, reason: 'not-a-call-summary', account: userName, body: '{"event":"screen-pop"}' },
  { minutesAgo: 12, reason: 'broken-json', account: userName, dismissedMinutesAgo: 10 },
];

const host = 'http://queues.invalid';

/** A contact centre with everything of which Callfeed shows a number, beside another one in the same deployment. */
export const startCentre = async ({ timeZone, now, today, changeDay }: CentreTime) => {
  const accounts = accountsIn(timeZone);
  const at = (minutesAgo: number) => new Date(Date.parse(now) - minutesAgo * minuteMs).toISOString();
  const service = scriptedService({}, () => world.now());
  const world = createMemoryWorld({
    startedAt: at(120),
    accounts,
    accountsIn: 'environment',
    telephony: service.telephony,
  });
  const instance = world.start();
  const dynamodb = dynamodbOf(world);
  const put = (TableName: string, row: object) =>
    dynamodb.send(new PutItemCommand({ TableName, Item: marshalled({ ...row }) }));
  const post = async (summaries: readonly object[]) => {
    for (const summary of summaries) await instance.receive(httpApiEvent({ body: formOf(summary) }));
  };

  const weekBefore = addDays(today, -7);
  const days = [
    weekBefore,
    addDays(weekBefore, -7),
    addDays(today, -1),
    ...(changeDay === undefined ? [] : [changeDay]),
  ];
  for (const day of [today, ...new Set(days)])
    await post(callsOf(accounts[0], day, { timeZone, now, isToday: day === today, isChange: day === changeDay }));
  await post(callsOfOthers(accounts[1], [today, weekBefore]));
  await put('agents', { ...accountsKey, kind: 'accounts', accounts: namedAccounts(accounts) });

  for (const [minutesAgo, states] of polls) {
    world.advance(Date.parse(at(minutesAgo)) - world.now().getTime());
    service.answers({ logins: [loggedIn(states ?? {})] });
    if (states !== undefined) await world.tick(instance);
  }
  for (const { minutesAgo, dismissedMinutesAgo, ...entry } of quarantined)
    await put('quarantine', {
      ...quarantineRow(quarantineEntry({ body: `{${minutesAgo}`, receivedAt: at(minutesAgo), ...entry }), 30),
      ...(dismissedMinutesAgo !== undefined && { dismissedAt: at(dismissedMinutesAgo), dismissedBecause: 'a test' }),
    });
  const parked = (account: string, minutesAgo: number) =>
    JSON.stringify({
      kind: 'quarantine',
      entry: { reason: 'broken-json', account, body: '{', receivedAt: at(minutesAgo) },
    });
  for (const minutesAgo of [200, 50, 45]) world.deadLetters.send(parked(userName, minutesAgo), {}, 0);
  world.deadLetters.send(parked('other', 47), {}, 0);
  world.parking.send(parked(userName, 1), {}, 0);

  const carry = withoutWaiting(world.services.sqs);
  const localText = (ms: number) => wallClock(ms, timeZone);
  const urlOf = ({ name }: { readonly name: string }) => queueAddress(host, name);
  const clients = () => ({ dynamodb: dynamodbOf(world), sqs: awsClients(() => carry).sqs as never });
  const deployment: Deployment = {
    ...stubDeployment(),
    ...clients(),
    // A sandbox would be asked whether it has a demonstration.
    bus: { kind: 'event-bridge', name: 'bus', client: new EventBridgeClient() },
    queues: { parking: urlOf(world.parking), deadLetters: urlOf(world.deadLetters) },
    retention: { callDays: 90, quarantineDays: 90 },
    accounts: async () => accountIndex(accounts),
  };
  const location = { stack: 'a stack' };
  const clock = () => world.now();
  const api = consoleApi({ deployment, location, clock, isPersonal: true, features });
  const { signal } = new AbortController();
  return {
    account: userName,
    agents: ['asha', 'ravi', 'li & co'],
    timeZone,
    today,
    days: { today, weekBefore, changeDay },
    now: () => world.now().toISOString(),
    /** An instant before the one at which it started. */
    minutesAgo: at,
    advance: world.advance,
    /** Calls come: one that has just begun, a late one of the same day, and one of a week before if that is asked for. */
    async post(seed: number, isOfWeekBefore: boolean) {
      const starts = [localText(world.now().getTime()), `${today} 08:0${seed}:00`];
      const all = isOfWeekBefore ? [...starts, `${weekBefore} 08:0${seed}:00`] : starts;
      await post(all.map((start, index) => laterCall(accounts[0], `9${seed}${index}`, start, seed + index)));
    },
    /** What the page can ask. */
    addresses: Object.keys(api.gets),
    /** What the console answers: as JSON, which a page reads. */
    async ask(address: string, query: Readonly<Record<string, string | undefined>>) {
      const given = Object.entries({ account: userName, ...query }).filter(([, value]) => value !== undefined);
      const answer = await api.gets[address]?.(Object.fromEntries(given) as Record<string, string>, { signal });
      return 'body' in Object(answer) ? answer : JSON.parse(JSON.stringify(answer));
    },
    /** Runs a command line in the deployment, with clients of its own: what it may call is held to its permissions. */
    run: (args: readonly string[]) =>
      cli(args, { connect: async () => ({ ...deployment, version: ownVersion, ...clients() }), clock }),
    commandOptions: ['--stack', location.stack],
  };
};

export type Centre = Awaited<ReturnType<typeof startCentre>>;
