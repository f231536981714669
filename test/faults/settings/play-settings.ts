import type { PolledAccount } from '../../../lib/accounts/accounts.ts';
import type { ServiceRequest } from '../../../lib/service/service.ts';
import type { FaultInjector, Instance } from '../../deployment/functions.ts';
import { reportOf, type ServiceAnswer } from '../../deployment/telephony.ts';
import { createMemoryWorld, type MemoryWorld, visibilityMilliseconds } from '../../deployment/world.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { formOf, httpApiEvent } from '../../support/local-servers.ts';
import { fieldsText } from '../history-rows.ts';
import { log, must } from '../property.ts';
import {
  type Activity,
  type Receiver,
  reportedDay,
  type Sent,
  type Settings,
  type SettingsHistory,
} from './history.ts';

export const accountWith = ({ timeZone, country, knowsAbandoned }: Settings): PolledAccount => ({
  ...kolkataAccount,
  timeZone,
  ...(country !== undefined && { country }),
  ...(knowsAbandoned && { words: { status: { abandoned: 'not-answered' } } }),
});

export const settingsText = ({ timeZone, country, knowsAbandoned }: Settings): string =>
  [timeZone, country, ...(knowsAbandoned ? ['Abandoned'] : [])].filter((part) => part !== undefined).join(' ');

/** What arrived at an instant: a post, or a request to read the call report. */
export type Arrival =
  | { readonly kind: 'post'; readonly at: string; readonly records: readonly Sent[] }
  | { readonly kind: 'report'; readonly at: string; readonly records: readonly Sent[] };

export interface PlayedSettings {
  readonly world: MemoryWorld;
  readonly arrivals: readonly Arrival[];
  /** The settings by which something was read that was received at an instant. */
  readonly settingsAt: (receivedAt: string) => Settings | undefined;
  readonly last: Settings;
}

const startedAt = '2026-11-20T06:00:00.000Z';

/** A reading of the report ends after fewer messages. */
const maxMessages = 50;

/** A world with one account, whose report a test replaces. */
const worldOf = (first: Settings) => {
  let records: readonly Sent[] = [];
  const get = async (request: ServiceRequest): Promise<ServiceAnswer> => reportOf({ [reportedDay]: records })(request);
  const world = createMemoryWorld({
    startedAt,
    accounts: [accountWith(first)],
    accountsIn: 'secret',
    report: { get },
  });
  let runs = 0;
  return {
    world,
    post: (instance: Instance, sent: readonly Sent[]) => {
      const keyed = sent.map((record) =>
        'ExitStatus' in record ? record : { ...record, Apikey: kolkataAccount.apiKeys[0] },
      );
      return world.post(instance, httpApiEvent({ body: formOf(keyed.length === 1 ? keyed[0] : keyed) }));
    },
    /** Reads the report of the day to its end. */
    async readReport(instance: Instance, next: readonly Sent[]) {
      records = next;
      const message = { kind: 'start', account: kolkataAccount.userName, run: `run ${runs++}`, days: [reportedDay] };
      world.reconciliation.send(JSON.stringify(message), {}, 0);
      for (let messages = 0; ; messages++) {
        const [first] = world.reconciliation.messages();
        if (first === undefined) return;
        must(messages < maxMessages, () => 'The reading of the report never ends');
        world.advance(Math.max(0, first.visibleAt - world.now().getTime()));
        await world.reconcile(instance);
      }
    },
    async recoverAll(instance: Instance) {
      for (let rounds = 0; world.parking.messages().length > 0; rounds++) {
        must(rounds < maxMessages, () => 'A parked delivery is never stored');
        await world.recover(instance);
        if (world.parking.messages().length > 0) world.advance(visibilityMilliseconds);
      }
    },
  };
};

/** Plays a history, and stores what is parked in the end. */
export const playSettings = async (history: SettingsHistory): Promise<PlayedSettings> => {
  const { world, post, readReport, recoverAll } = worldOf(history.first);
  let present = history.first;
  const readBy = new Map<Receiver | 'worker', Settings>();
  const served: { readonly from: string; readonly to: string; readonly settings: Settings }[] = [];
  const arrivals: Arrival[] = [];
  let isTableDown = false;

  const start = (who: Receiver | 'worker'): Instance => {
    const faultFor: FaultInjector = ({ service }) => {
      // What a process reads of the secret it uses for five minutes.
      if (service === 'secrets') readBy.set(who, present);
      return isTableDown && service === 'dynamodb' ? 'fail' : 'pass';
    };
    return world.start(faultFor);
  };
  const receivers: Record<Receiver, Instance> = {
    'new receiver': start('new receiver'),
    'old receiver': start('old receiver'),
  };
  const worker = () => start('worker');

  /** Notes by which settings everything was read that was received meanwhile. */
  const serve = async <Answer>(who: Receiver | 'worker', act: () => Promise<Answer>): Promise<Answer> => {
    const from = world.now().toISOString();
    const answer = await act();
    const settings = readBy.get(who) ?? present;
    served.push({ from, to: world.now().toISOString(), settings });
    return answer;
  };
  const posts = () => arrivals.filter(({ kind }) => kind === 'post');
  const send = async (records: readonly Sent[], who: Receiver, isDown: boolean): Promise<void> => {
    const at = world.now().toISOString();
    const earlier = posts().findIndex((post) => post.records === records);
    isTableDown = isDown;
    const reply = await serve(who, () => post(receivers[who], records));
    isTableDown = false;
    must(reply?.statusCode === 200, () => `A post was answered ${reply?.statusCode} ${reply?.body}`);
    arrivals.push({ kind: 'post', at, records });
    log(() => ({
      at,
      what: earlier < 0 ? `post ${records.map(fieldsText).join(' | ')}` : `post ${earlier + 1} again`,
      by: `${who}, ${settingsText(readBy.get(who) ?? present)}`,
      became: isDown ? 'parked' : String(reply?.body),
    }));
  };
  const readNow = async (records: readonly Sent[]): Promise<void> => {
    const at = world.now().toISOString();
    await serve('worker', () => readReport(worker(), records));
    arrivals.push({ kind: 'report', at, records });
    log(() => ({
      at,
      what: `report ${records.map(fieldsText).join(' | ')}`,
      by: settingsText(present),
      became: 'read to its end',
    }));
  };

  const change = (to: Partial<Settings>): void => {
    present = { ...present, ...to };
    world.putSecret(JSON.stringify([accountWith(present)]));
    receivers['new receiver'] = start('new receiver');
    log(() => ({ at: world.now().toISOString(), what: 'the account changes', by: settingsText(present) }));
  };
  const act = async (activity: Activity): Promise<void> => {
    const at = world.now().toISOString();
    switch (activity.do) {
      case 'post':
        return send(activity.records, activity.via, activity.isTableDown);
      case 'repeat': {
        const repeated = posts().toReversed()[activity.back % Math.max(1, posts().length)];
        return repeated && send(repeated.records, activity.via, activity.isTableDown);
      }
      case 'recover':
        await world.recover(worker());
        return log(() => ({ at, what: 'parked deliveries are recovered' }));
      case 'report':
        return readNow(activity.records);
    }
  };

  log(() => ({ at: startedAt, what: 'the account', by: settingsText(present) }));
  for (const { afterSeconds, change: to, activity } of history.steps) {
    world.advance(afterSeconds * 1_000);
    if (to !== undefined) change(to);
    await act(activity);
    // No two things are received in the same millisecond.
    world.advance(1);
  }
  await recoverAll(worker());
  const settingsAt = (receivedAt: string) =>
    served.find(({ from, to }) => from <= receivedAt && receivedAt <= to)?.settings;
  return { world, arrivals, settingsAt, last: present };
};

/** A world in which the same arrived at the same times, while the account had one set of settings. */
export const playWithout = async (settings: Settings, arrivals: readonly Arrival[]): Promise<MemoryWorld> => {
  const { world, post, readReport } = worldOf(settings);
  for (const { kind, at, records } of arrivals) {
    world.advance(Date.parse(at) - world.now().getTime());
    const instance = world.start();
    if (kind === 'report') await readReport(instance, records);
    else await post(instance, records);
  }
  return world;
};
