import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Account } from '../../lib/accounts/accounts.ts';
import { addDays, datesBetween, localDate } from '../../lib/core/time.ts';
import type { ConsoleLog } from '../aws/console-log.ts';
import { type SandboxOptions, withBaseUrl } from '../aws/sandbox-options.ts';
import type { Store } from '../dynamodb/start-store.ts';
import { type Closers, type SandboxClock, systemClock } from '../frame/lifecycle.ts';
import { localClient } from '../frame/local-aws.ts';
import type { PlayedRows } from '../stream/played-rows.ts';
import { createCalendar, daysBefore } from './calendar.ts';
import { type DemoRecord, openDemoFile } from './demo-file.ts';
import { type Filling, fillFrom, fillOlder, makeUpFor } from './fill-days.ts';
import { type DemoLink, demoLinks } from './links.ts';
import { startLive } from './live.ts';
import { createPastDeployment } from './past-deployment.ts';
import type { OutcomeStore } from './store-outcome.ts';

export interface DemoSettings extends Pick<SandboxOptions, 'seed' | 'callbackSecret' | 'data'> {
  /** The first one has the contact centre. */
  readonly accounts: readonly Account[];
  readonly consoleLog: Pick<ConsoleLog, 'line'>;
  readonly clock?: SandboxClock;
}

export interface DemoPlaces {
  readonly store: Pick<Store, 'url'>;
  readonly eventbridgeUrl: string;
  readonly played: PlayedRows;
  readonly callbackUrl: string;
  readonly script: (steps: string) => unknown;
}

export interface DemoState {
  readonly days: number;
  readonly daysMade: number;
  /** Why the older days are not made, if they could not be. */
  readonly problem?: string;
  readonly links: readonly DemoLink[];
}

export type Demo = ReturnType<typeof prepareDemo>;

const defaultSeed = 1;

/** Opens or begins what a folder has of a demonstration, and plays today and yesterday while the rest of the sandbox starts. */
export const prepareDemo = (settings: DemoSettings, closers: Closers) => {
  const { accounts, callbackSecret, data, consoleLog, seed, clock = systemClock } = settings;
  const [account] = accounts;
  if (account === undefined) throw new Error('A demonstration needs an account.');
  const { userName, timeZone } = account;
  const file = openDemoFile(data, { account: userName, timeZone, seed });
  const today = localDate(new Date(clock.now()).toISOString(), timeZone);
  let record = file.stored ?? newRecord({ seed: seed ?? defaultSeed, account: userName, timeZone }, today);
  const keep = (changes: Partial<DemoRecord>): void => {
    record = { ...record, ...changes };
    file.write(record);
  };
  const calendar = createCalendar({ ...record, account });
  const yesterday = addDays(record.startedOn, -1);
  const stopping = new AbortController();
  const { signal } = stopping;
  closers.add(() => stopping.abort());
  const store = Promise.withResolvers<OutcomeStore>();
  let problem: string | undefined;

  const filling: Filling = {
    calendar,
    signal,
    account: userName,
    store: store.promise,
    now: clock.now,
    newPast: (stored) =>
      createPastDeployment({
        accounts: withBaseUrl(accounts, 'http://127.0.0.1'),
        callbackSecret,
        stored,
        loggedIn: (name, at) => (name === userName ? calendar.loggedIn(at) : []),
      }),
    onDay(date) {
      if (record.missing.includes(date)) keep({ missing: record.missing.filter((one) => one !== date) });
      const { length } = record.missing;
      consoleLog.line('demo', `${date} is there${length === 0 ? '' : `; ${length} older to come`}`);
    },
  };
  const isNew = record.until === 0;
  const links = demoLinks(calendar, yesterday);
  const begunAt = clock.now();
  keep({});
  const recent = isNew ? fillFrom(filling, yesterday) : makeUpFor(filling, record.until, addDays(today, -daysBefore));
  // The recent days are awaited below; until then a failure is no unhandled one.
  recent.catch(() => undefined);

  const makeOlder = async (): Promise<void> => {
    try {
      await fillOlder(filling, {
        first: addDays(record.startedOn, -daysBefore),
        last: addDays(yesterday, -1),
        isWanted: (date) => record.missing.includes(date),
      });
    } catch (error) {
      if (signal.aborted) return;
      problem = error instanceof Error ? error.message : String(error);
      consoleLog.line('demo', `the older days could not be made: ${problem}`);
    }
  };

  return {
    /** Resolves when today and yesterday are there. The returned function goes on: with the present, and with the older days. */
    async fill({ store: { url }, eventbridgeUrl, played, callbackUrl, script }: DemoPlaces) {
      const dynamodb = new DynamoDBClient(localClient(url));
      const eventbridge = new EventBridgeClient(localClient(eventbridgeUrl));
      closers.add(() => {
        dynamodb.destroy();
        eventbridge.destroy();
      });
      store.resolve({ dynamodb, eventbridge, played });
      const until = await recent;
      keep({ until });
      const seconds = Math.ceil((clock.now() - begunAt) / 1000);
      const what = isNew ? 'today and yesterday were made' : 'what was missed since the last run was made up for';
      consoleLog.line('demo', `${what} in ${seconds} s`);

      return (): void => {
        const log = (line: string): void => consoleLog.line('sent', line);
        const onPost = (at: number): void => keep({ until: at });
        startLive({ calendar, after: until, callbackUrl, script, log, onPost, clock }, closers);
        if (record.missing.length === 0) return;
        const making = makeOlder();
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
      links,
    }),
  };
};

type Centre = Pick<DemoRecord, 'seed' | 'account' | 'timeZone'>;

const newRecord = (centre: Centre, today: string): DemoRecord => ({
  ...centre,
  startedOn: today,
  until: 0,
  missing: [...datesBetween(addDays(today, -daysBefore), addDays(today, -2))],
});
