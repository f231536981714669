import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Account } from '../../lib/accounts/accounts.ts';
import { addDays, datesBetween, startOfDay } from '../../lib/core/time.ts';
import type { ConsoleLog } from '../aws/console-log.ts';
import { type SandboxOptions, withBaseUrl } from '../aws/sandbox-options.ts';
import type { Store } from '../dynamodb/start-store.ts';
import { type Closers, type SandboxClock, systemClock } from '../frame/lifecycle.ts';
import { localClient } from '../frame/local-aws.ts';
import { type Calendar, createCalendar, daysBefore } from './calendar.ts';
import { type DemoRecord, openDemoFile } from './demo-file.ts';
import { type DemoLink, demoLinks } from './links.ts';
import { startLive } from './live.ts';
import { createPastDeployment, type Outcome, type PastDeployment } from './past-deployment.ts';
import { play } from './play.ts';
import type { PlayedRows } from './played-rows.ts';
import { type OutcomeStore, storedRows, storeOutcome } from './store-outcome.ts';

export interface DemoSettings extends Pick<SandboxOptions, 'seed' | 'callbackSecret' | 'data'> {
  /** The first one has the contact centre. */
  readonly accounts: readonly Account[];
  readonly consoleLog: Pick<ConsoleLog, 'line'>;
  readonly clock?: SandboxClock;
}

/** The parts of a sandbox that a demonstration fills. */
export interface DemoPlaces {
  readonly store: Pick<Store, 'url'>;
  readonly eventbridgeUrl: string;
  readonly played: PlayedRows;
  readonly callbackUrl: string;
  readonly script: (steps: string) => unknown;
}

/** What the console shows of a demonstration. */
export interface DemoState {
  readonly days: number;
  readonly daysMade: number;
  /** Why the older days are not made, if they could not be. */
  readonly problem?: string;
  readonly links: readonly DemoLink[];
}

export type Demo = ReturnType<typeof prepareDemo>;

const defaultSeed = 1;

/** Long enough for everybody to log in anew who is logged in at midnight. */
const warmUpMs = 4 * 3_600_000;

export const prepareDemo = (settings: DemoSettings, closers: Closers) => {
  const { accounts, callbackSecret, data, consoleLog, clock = systemClock } = settings;
  const [account] = accounts;
  if (account === undefined) throw new Error('A demonstration needs an account.');
  const { userName, timeZone } = account;
  const file = openDemoFile(data, { account: userName, timeZone, seed: settings.seed });
  const dateNow = createCalendar({ seed: 0, startedOn: '', account }).dateAt(clock.now());
  const { seed = defaultSeed } = settings;
  let record: DemoRecord = file.stored ?? {
    seed,
    startedOn: dateNow,
    account: userName,
    timeZone,
    until: 0,
    missing: [...datesBetween(addDays(dateNow, -daysBefore), addDays(dateNow, -2))].reverse(),
  };
  const calendar = createCalendar({ ...record, account });
  const midnight = (date: string): number => Date.parse(startOfDay(date, timeZone));
  const yesterday = addDays(record.startedOn, -1);
  const stopping = new AbortController();
  const { signal } = stopping;
  let problem: string | undefined;

  const pastWith = (stored: Parameters<typeof createPastDeployment>[0]['stored']): PastDeployment =>
    createPastDeployment({
      accounts: withBaseUrl(accounts, 'http://127.0.0.1'),
      callbackSecret,
      stored,
      loggedIn: (name, at) => (name === userName ? calendar.loggedIn(at) : []),
    });
  const keep = (changes: Partial<DemoRecord>): void => {
    record = { ...record, ...changes };
    file.write(record);
  };

  /** From yesterday on, or from where an earlier run has stopped, up to the present. Resolves with the instant up to which. */
  const playRecent = async (store: Promise<OutcomeStore>): Promise<number> => {
    let after = Math.max(record.until, midnight(yesterday), midnight(addDays(dateNow, -daysBefore)));
    const isNew = record.until === 0;
    const past = pastWith(isNew ? nothing : await storedRows(await store, userName, goingOn(calendar, after)));
    if (isNew) {
      await play(past, calendar, { after: after - warmUpMs, until: after }, signal);
      past.takeOutcome();
    }
    let storing = Promise.resolve();
    const playUntil = async (until: number): Promise<void> => {
      await play(past, calendar, { after, until }, signal);
      after = until;
      const outcome = past.takeOutcome();
      storing = storing.then(async () => storeOutcome(await store, outcome, signal));
      // It is awaited below; until then a failure is no unhandled one.
      storing.catch(() => undefined);
    };
    for (let date = calendar.dateAt(after); date < dateNow; date = addDays(date, 1)) {
      await playUntil(midnight(addDays(date, 1)));
      consoleLog.line('demo', `${date} is there`);
    }
    await playUntil(clock.now());
    await storing;
    // The present has gone on meanwhile.
    await playUntil(clock.now());
    await storing;
    keep({ until: after });
    return after;
  };

  /** The days before yesterday, from the first one on, as each follows from the one before. */
  const playOlder = async (store: OutcomeStore): Promise<void> => {
    const past = pastWith(nothing);
    const first = addDays(record.startedOn, -daysBefore);
    const end = midnight(yesterday);
    const later = new Set(calendar.postsBetween(end, end + warmUpMs).map(({ callId }) => callId));
    for (const date of datesBetween(first, addDays(yesterday, -1))) {
      await play(past, calendar, { after: midnight(date), until: midnight(addDays(date, 1)) }, signal);
      const outcome = past.takeOutcome();
      if (!record.missing.includes(date)) continue;
      await storeOutcome(store, historyIn(outcome, later), signal);
      keep({ missing: record.missing.filter((one) => one !== date) });
      consoleLog.line('demo', `${date} is there, ${record.missing.length} older days to go`);
    }
  };

  keep({});
  closers.add(() => stopping.abort());
  const places = Promise.withResolvers<OutcomeStore>();
  // It begins while DynamoDB Local still starts.
  const recent = playRecent(places.promise);
  recent.catch(() => undefined);

  return {
    /** Fills the tables with today and yesterday. The returned function goes on: with the present, and with the older days. */
    async fill({ store: { url }, eventbridgeUrl, played, callbackUrl, script }: DemoPlaces) {
      const dynamodb = new DynamoDBClient(localClient(url));
      const eventbridge = new EventBridgeClient(localClient(eventbridgeUrl));
      const store = { dynamodb, eventbridge, played };
      closers.add(() => {
        dynamodb.destroy();
        eventbridge.destroy();
      });
      places.resolve(store);
      const after = await recent;

      return (): void => {
        const log = (line: string): void => consoleLog.line('sent', line);
        const onPost = (until: number): void => keep({ until });
        startLive({ calendar, after, callbackUrl, script, log, onPost, clock }, closers);
        if (record.missing.length === 0) return;
        const making = playOlder(store).catch((error: unknown) => {
          if (signal.aborted) return;
          problem = error instanceof Error ? error.message : String(error);
          consoleLog.line('demo', `the older days could not be made: ${problem}`);
        });
        closers.add(() => {
          stopping.abort();
          return making;
        });
      };
    },
    state: (): DemoState => ({
      days: daysBefore,
      daysMade: daysBefore - record.missing.length,
      ...(problem !== undefined && { problem }),
      links: demoLinks(calendar, yesterday),
    }),
  };
};

const nothing = { calls: [], agents: [] } as const;

/** The calls that were posted before an instant, and of which more is posted later. */
const goingOn = (calendar: Calendar, at: number): readonly string[] => {
  const before = new Set(calendar.postsBetween(at - warmUpMs, at).map(({ callId }) => callId));
  const later = calendar.postsBetween(at, at + warmUpMs).map(({ callId }) => callId);
  return [...new Set(later)].filter((callId) => before.has(callId));
};

const historyKinds = ['floor', 'interval', 'feed-change'];

/**
 * What of an older day stays: not the present of then. An interval that is still open is written when it ends, the last of them
 * with yesterday, and so is a call of which more is posted then.
 */
const historyIn = ({ calls, agents, events }: Outcome, later: ReadonlySet<string>): Outcome => ({
  events,
  calls: calls.filter(({ item }) => !later.has(String(item?.['callId']?.S))),
  agents: agents.filter(({ item }) => {
    const kind = item?.['kind']?.S ?? '';
    return historyKinds.includes(kind) && (kind !== 'interval' || item?.['to'] !== undefined);
  }),
});
