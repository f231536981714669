import { describe, expect, it } from 'vitest';
import { type Account, type Accounts, accountIndex, type PolledAccount } from '../../../lib/accounts/accounts.ts';
import type { AgentTable } from '../../../lib/storage/rows.ts';
import {
  errorText,
  kolkataAccount,
  manualClock,
  noReply,
  poller,
  type Reply,
  reply,
  scriptedService,
  slotMs,
  threeAgents,
} from '../../support/agent-polling.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';
import { fixedAccounts, unavailable } from '../../support/memory-ports.ts';

const rejection = errorText('userName or apiKey is Invalid');
const withKey = (key: string, userName = 'demo'): PolledAccount => ({ ...kolkataAccount, userName, apiKeys: [key] });
const twoAccounts = () => fixedAccounts([kolkataAccount, withKey('other-key', 'other')]);

interface Setting {
  readonly accounts?: Accounts;
  readonly logins?: readonly (Reply | (() => Reply))[];
  readonly around?: (table: AgentTable) => AgentTable;
}

/** Processes that poll over one table and a scripted service. */
const setUp = ({ accounts, logins = [threeAgents], around = (table) => table }: Setting) => {
  const time = manualClock('2026-11-20T06:00:01.000Z');
  const table = memoryAgentTable();
  const service = scriptedService({ logins });
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    time.advance(ms);
  };
  const process = () => poller(around(table), service, time.clock, { pause, ...(accounts && { accounts }) });
  const { poll, telemetry } = process();
  return {
    ...time,
    poll,
    telemetry,
    process,
    service,
    pauses,
    async pollSlots(count: number) {
      for (let slot = 0; slot < count; slot++) {
        await poll();
        time.advance(slotMs);
      }
    },
    keys: () => service.requests.map(({ headers }) => headers['apiKey']),
    feeds: () => table.all().filter(({ kind }) => kind === 'feed'),
    named: () => table.all().find(({ kind }) => kind === 'accounts')?.['accounts'],
  };
};

/** A table that cannot be reached for one account while `isDown`. */
const tableDownFor =
  (account: string, isDown: () => boolean = () => true) =>
  (table: AgentTable): AgentTable => {
    const check = (pk: string) => {
      if (isDown() && pk.startsWith(account)) throw new Error('down');
    };
    return {
      ...table,
      async query(pk, between) {
        check(pk);
        return table.query(pk, between);
      },
      async write(row, alongside) {
        check(row.pk);
        return table.write(row, alongside);
      },
    };
  };

describe('an account whose key is rejected', () => {
  /** An account that has another key once the accounts are read anew, and the keys that the service accepts. */
  const rotating = (rotated: string, ...accepted: readonly string[]) => {
    let key = 'old';
    const counts = { current: 0, refreshed: 0 };
    const accounts: Accounts = {
      async current() {
        counts.current += 1;
        return accountIndex([withKey(key)]);
      },
      async refresh() {
        counts.refreshed += 1;
        key = rotated;
        return accountIndex([withKey(key)]);
      },
    };
    const answer = () => (accepted.includes(String(setting.keys().at(-1))) ? threeAgents : rejection);
    const setting = setUp({ accounts, logins: [answer] });
    return { ...setting, counts };
  };

  it('is polled with its new key in the next slot, despite the back-off of the old one', async () => {
    const { pollSlots, keys, counts, feeds } = rotating('new', 'new');
    await pollSlots(1);
    expect(feeds()).toMatchObject([{ poller: { backOff: { times: 1 } } }]);
    await pollSlots(3);

    expect(keys()).toEqual(['old', 'new', 'new', 'new']);
    // The accounts are read anew only while the key is rejected.
    expect(counts).toEqual({ current: 3, refreshed: 1 });
    expect(feeds()).toMatchObject([{ status: 'live', asOf: '2026-11-20T06:00:46.000Z' }]);
  });

  it('is polled with its new key in the next slot, though the second tick of the slot has seen the key first', async () => {
    const { poll, pollSlots, keys, feeds } = rotating('new', 'new');
    await poll();
    await poll();
    expect(keys()).toEqual(['old']);
    await pollSlots(2);

    expect(keys()).toEqual(['old', 'new']);
    expect(feeds()).toMatchObject([{ status: 'live' }]);
  });

  it('is not polled while its key is the same, though the accounts are read anew', async () => {
    const { pollSlots, keys, counts, telemetry } = rotating('old');
    await pollSlots(4);

    expect(keys()).toEqual(['old']);
    expect(counts).toEqual({ current: 1, refreshed: 3 });
    expect(telemetry.counts).toMatchObject({ PollsFailed: 1, PollsSkipped: 3 });
  });

  it('is polled once with a new key that is rejected too, and then backs off as at first', async () => {
    const { pollSlots, keys, feeds } = rotating('new');
    await pollSlots(5);

    expect(keys()).toEqual(['old', 'new']);
    expect(feeds()).toMatchObject([
      { lastProblem: { reason: 'unauthorised' }, poller: { backOff: { until: '2026-11-20T06:01:15.000Z', times: 1 } } },
    ]);
  });

  it('is not assumed after a rate limit: a new key would not help', async () => {
    const accounts = fixedAccounts([withKey('old')], [withKey('new')]);
    const { pollSlots, keys } = setUp({ accounts, logins: [errorText('Max limit exceeded')] });
    await pollSlots(3);

    expect(keys()).toEqual(['old', 'old']);
    expect(accounts.counts).toEqual({ current: 3, refreshed: 0 });
  });
});

describe('a poll that cannot be made', () => {
  it.each(['current', 'refresh'] as const)(
    'is not counted where the accounts cannot be read, as nobody knows whom to poll: %s',
    async (by) => {
      const { poll, telemetry, advance, service } = setUp({
        accounts: { ...fixedAccounts([kolkataAccount]), [by]: unavailable },
        logins: [rejection],
      });
      if (by === 'refresh') await poll();
      advance(slotMs);
      const { AccountsUnreadable: _unread = 0, ...before } = telemetry.counts;
      const { length } = service.requests;
      const measured = { ...telemetry.measured };
      await poll();

      expect(service.requests).toHaveLength(length);
      expect(telemetry.places()).toEqual(['accounts']);
      expect(telemetry.counts).toEqual({ ...before, AccountsUnreadable: 1 });
      expect(telemetry.measured).toEqual(measured);
    },
  );

  it('is counted as failed where the table is down, and the other accounts are polled', async () => {
    const { poll, telemetry, keys, feeds } = setUp({ accounts: twoAccounts(), around: tableDownFor('demo') });
    await poll();

    expect(telemetry.places()).toEqual(['agent-store']);
    expect(telemetry.counts).toMatchObject({ PollsFailed: 1, PollsSucceeded: 1 });
    expect(keys()).toEqual(['other-key']);
    expect(feeds()).toMatchObject([{ account: 'other', status: 'live' }]);
    // The number of agents would lack those of the other account.
    expect(telemetry.measured).toEqual({ FeedAgeSeconds: [0], CallbackSilenceSeconds: [0] });
  });
});

describe('a run', () => {
  it('measures the age of the oldest feed, and the agents in each state', async () => {
    const { pollSlots, telemetry } = setUp({
      accounts: twoAccounts(),
      logins: [threeAgents, threeAgents, noReply('redirect')],
    });
    await pollSlots(1);
    expect(telemetry.measured).toMatchObject({
      FeedAgeSeconds: [0],
      AgentsReady: [2],
      AgentsAcw: [2],
      AgentsIdle: [2],
      AgentsBusy: [0],
    });

    await pollSlots(1);
    expect(telemetry.measured).toMatchObject({ FeedAgeSeconds: [0, 15], AgentsReady: [2, 2] });
  });

  it('measures an age that grows while an account is never answered, and no agents', async () => {
    const { pollSlots, telemetry } = setUp({ logins: [rejection] });
    await pollSlots(3);

    expect(telemetry.measured).toEqual({ FeedAgeSeconds: [0, 15, 30], CallbackSilenceSeconds: [0, 0, 0] });
  });

  it('forgets an account that is polled no more', async () => {
    let all = [kolkataAccount, withKey('other-key', 'other')];
    const current = async () => accountIndex(all);
    const { pollSlots, telemetry } = setUp({ accounts: { current, refresh: current } });
    await pollSlots(1);
    all = [kolkataAccount];
    await pollSlots(1);

    expect(telemetry.measured).toMatchObject({ FeedAgeSeconds: [0, 0], AgentsReady: [2, 1] });
  });

  it('makes the next polls wait for a moment after a retry, and skips none', async () => {
    const { pollSlots, pauses, service, telemetry } = setUp({ logins: [noReply('timeout'), threeAgents] });
    await pollSlots(6);

    expect(service.requests).toHaveLength(7);
    expect(pauses.length).toBeGreaterThan(0);
    for (const ms of pauses) expect(ms).toBeLessThanOrEqual(5_005);
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 6 });
    expect(telemetry.counts).not.toHaveProperty('PollsSkipped');
  });

  it('does not retry where so much of its time has passed that it could not end in time', async () => {
    const slowTable = (table: AgentTable): AgentTable => ({
      ...table,
      async write(row, alongside) {
        setting.advance(4_000);
        return table.write(row, alongside);
      },
    });
    const slowError = () => {
      setting.advance(1_000);
      return reply('', 500);
    };
    const setting: ReturnType<typeof setUp> = setUp({ logins: [slowError, threeAgents], around: slowTable });
    await setting.poll();

    expect(setting.service.requests).toHaveLength(1);
  });
});

describe('two processes', () => {
  it('poll a slot once, one after the other, without a conflict', async () => {
    const { poll, telemetry, process, advance, service } = setUp({});
    const other = process();
    await poll();
    advance(1_000);
    await other.poll();
    await poll();

    expect(service.requests).toHaveLength(1);
    expect(telemetry.counts).not.toHaveProperty('PollConflicts');
    expect(other.telemetry.counts).toEqual({});
  });

  it('poll a slot once, side by side, with one conflict and one measurement', async () => {
    const { poll, telemetry, process, service } = setUp({});
    const other = process();
    await Promise.all([poll(), other.poll()]);
    const both = [telemetry, other.telemetry];

    expect(service.requests).toHaveLength(1);
    expect(both.map(({ counts }) => counts.PollConflicts ?? 0).sort()).toEqual([0, 1]);
    expect(both.flatMap(({ measured }) => measured.FeedAgeSeconds ?? [])).toEqual([0]);
  });
});

describe('the age of an account that cannot be polled while another one is', () => {
  it.each([
    ['from its last answer', [false, true, true, true, false], [0, 15, 30, 45, 0], [2, 2]],
    ['from its first failure, where it was never answered', [true, true, true], [0, 15, 30], undefined],
  ])('grows %s', async (_title, slots, ages, agentsReady) => {
    let isDown = false;
    const { pollSlots, telemetry } = setUp({ accounts: twoAccounts(), around: tableDownFor('other', () => isDown) });
    for (const down of slots) {
      isDown = down;
      await pollSlots(1);
    }

    expect(telemetry.measured.FeedAgeSeconds).toEqual(ages);
    // What an account has that cannot be polled is not known.
    expect(telemetry.measured.AgentsReady).toEqual(agentsReady);
  });
});

describe('the row that names the accounts', () => {
  it('has their names and zones without keys, follows the secret, and is written again after a failure', async () => {
    const { baseUrl: _address, token: _token, ...unpolled } = kolkataAccount;
    let accounts: readonly Account[] = [kolkataAccount];
    let failures = 1;
    const around = (table: AgentTable): AgentTable => ({
      ...table,
      put: (rows) => (rows[0]?.['kind'] === 'accounts' && failures-- > 0 ? unavailable() : table.put(rows)),
    });
    const current = async () => accountIndex(accounts);
    const { pollSlots, named } = setUp({ accounts: { current, refresh: current }, around, logins: [] });
    const demo = { userName: 'demo', timeZone: 'Asia/Kolkata', isPolled: true };

    await pollSlots(1);
    expect(named()).toBeUndefined();
    await pollSlots(1);
    expect(named()).toEqual([demo]);
    accounts = [kolkataAccount, { ...unpolled, userName: 'other', timeZone: 'UTC' }];
    await pollSlots(1);
    expect(named()).toEqual([demo, { userName: 'other', timeZone: 'UTC', isPolled: false }]);
  });
});
