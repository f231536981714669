import { describe, expect, it } from 'vitest';
import { type Accounts, accountIndex } from '../../../lib/accounts/account-index.ts';
import type { AgentTable } from '../../../lib/agents/agent-rows.ts';
import type { PolledAccount } from '../../../lib/agents/get-agent-logins.ts';
import { pollAgents } from '../../../lib/agents/poll-agents.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import {
  errorText,
  kolkataAccount,
  manualClock,
  noReply,
  type Reply,
  reply,
  scriptedService,
  success,
} from '../../support/agent-polling.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';
import { fixedAccounts, recordingTelemetry, unavailable } from '../../support/memory-ports.ts';

const slotMs = 15_000;
const floor = success(specificationLogins);
const refusal = errorText('userName or apiKey is Invalid');
const withKey = (key: string, userName = 'demo'): PolledAccount => ({ ...kolkataAccount, userName, apiKeys: [key] });

interface Setting {
  readonly accounts?: Accounts;
  readonly logins?: readonly (Reply | (() => Reply))[];
  readonly around?: (table: AgentTable) => AgentTable;
}

/** Processes that poll one table, and a service that keeps to its script. */
const setUp = ({
  accounts = fixedAccounts([kolkataAccount]),
  logins = [floor],
  around = (table) => table,
}: Setting) => {
  const time = manualClock('2026-11-20T06:00:01.000Z');
  const table = memoryAgentTable();
  const service = scriptedService({ logins });
  const pauses: number[] = [];
  const process = () => {
    const telemetry = recordingTelemetry();
    const poll = pollAgents({
      accounts,
      table: around(table),
      service,
      telemetry,
      clock: time.clock,
      async pause(ms) {
        pauses.push(ms);
        time.advance(ms);
      },
      retention: { snapshotDays: 7, intervalDays: 90 },
    });
    return { poll, telemetry };
  };
  return {
    ...time,
    ...process(),
    process,
    service,
    pauses,
    keys: () => service.requests.map(({ headers }) => headers['apiKey']),
    feeds: () => table.all().filter(({ kind }) => kind === 'feed'),
  };
};

describe('an account whose key is refused', () => {
  /** An account that has another key once the accounts are read anew, and the keys that are good. */
  const rotating = (rotated: string, ...good: readonly string[]) => {
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
    const answer = () => (good.includes(String(setting.keys().at(-1))) ? floor : refusal);
    const setting = setUp({ accounts, logins: [answer] });
    return { ...setting, counts };
  };

  it('is polled with its new key in the next slot, whatever back-off the old one has left', async () => {
    const { poll, advance, keys, counts, feeds } = rotating('new', 'new');
    await poll();
    expect(feeds()).toMatchObject([{ poller: { backOff: { times: 1 } } }]);
    advance(slotMs);
    await poll();

    expect(keys()).toEqual(['old', 'new']);
    expect(counts).toEqual({ current: 1, refreshed: 1 });
    expect(feeds()).toMatchObject([{ status: 'live', asOf: '2026-11-20T06:00:16.000Z' }]);
  });

  it('has the accounts read anew for as long only as it is refused', async () => {
    const { poll, advance, counts } = rotating('new', 'old', 'new');
    await poll();
    advance(slotMs);
    await poll();
    expect(counts).toEqual({ current: 2, refreshed: 0 });

    const again = rotating('new', 'new');
    for (let slot = 0; slot < 4; slot++) {
      await again.poll();
      again.advance(slotMs);
    }
    expect(again.counts).toEqual({ current: 3, refreshed: 1 });
  });

  it('is left alone while its key is the same, though the accounts are read anew', async () => {
    const { poll, advance, keys, counts, telemetry } = rotating('old');
    for (let slot = 0; slot < 4; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(keys()).toEqual(['old']);
    expect(counts).toEqual({ current: 1, refreshed: 3 });
    expect(telemetry.counts).toMatchObject({ PollsFailed: 1, PollsSkipped: 3 });
  });

  it('is asked once with a new key that is refused too, and then left alone as at first', async () => {
    const { poll, advance, keys, feeds } = rotating('new');
    for (let slot = 0; slot < 5; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(keys()).toEqual(['old', 'new']);
    expect(feeds()).toMatchObject([
      { lastProblem: { reason: 'unauthorised' }, poller: { backOff: { until: '2026-11-20T06:01:16.000Z', times: 1 } } },
    ]);
  });

  it('is left alone by the limit all the same: another refusal has nothing to do with the key', async () => {
    const accounts = fixedAccounts([withKey('old')], [withKey('new')]);
    const { poll, advance, keys } = setUp({ accounts, logins: [errorText('Max limit exceeded')] });
    for (let slot = 0; slot < 3; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(keys()).toEqual(['old']);
    expect(accounts.counts).toEqual({ current: 3, refreshed: 0 });
  });
});

describe('a poll that cannot be made', () => {
  it.each(['current', 'refresh'] as const)(
    'is not counted among polls where the accounts cannot be read, as nobody knows whom to poll: %s',
    async (by) => {
      const { poll, telemetry, advance, service } = setUp({
        accounts: { ...fixedAccounts([kolkataAccount]), [by]: unavailable },
        logins: [refusal],
      });
      if (by === 'refresh') await poll();
      advance(slotMs);
      const { AccountsUnreadable: _unread = 0, ...before } = telemetry.counts;
      const asked = service.requests.length;
      await poll();

      expect(service.requests).toHaveLength(asked);
      expect(telemetry.places()).toEqual(['accounts']);
      expect(telemetry.counts).toEqual({ ...before, AccountsUnreadable: 1 });
    },
  );

  it('is counted as failed where the table is down, and keeps no other account from being polled', async () => {
    const around = (table: AgentTable): AgentTable => ({
      ...table,
      query: async (pk, between) => (pk === 'demo' ? unavailable() : table.query(pk, between)),
    });
    const accounts = fixedAccounts([kolkataAccount, withKey('other-key', 'other')]);
    const { poll, telemetry, keys, feeds } = setUp({ accounts, around });
    await poll();

    expect(telemetry.places()).toEqual(['agent-store']);
    expect(telemetry.counts).toMatchObject({ PollsFailed: 1, PollsSucceeded: 1 });
    expect(keys()).toEqual(['other-key']);
    expect(feeds()).toMatchObject([{ account: 'other', status: 'live' }]);
  });
});

describe('a run', () => {
  const age = (telemetry: { readonly measured: { readonly FeedAgeSeconds?: readonly number[] } }) =>
    telemetry.measured.FeedAgeSeconds;

  it('measures once how old the picture is, and how many agents are in each state', async () => {
    const accounts = fixedAccounts([kolkataAccount, withKey('other-key', 'other')]);
    const { poll, telemetry, advance } = setUp({ accounts, logins: [floor, floor, noReply('redirect')] });
    await poll();
    expect(telemetry.measured).toMatchObject({
      FeedAgeSeconds: [0],
      AgentsReady: [2],
      AgentsAcw: [2],
      AgentsIdle: [2],
      AgentsBusy: [0],
    });

    advance(slotMs);
    await poll();
    expect(telemetry.measured).toMatchObject({ FeedAgeSeconds: [0, 15], AgentsReady: [2, 2] });
  });

  it('tells an age that grows while an account is never answered, and no agents', async () => {
    const { poll, telemetry, advance } = setUp({ logins: [refusal] });
    for (let slot = 0; slot < 3; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(telemetry.measured).toEqual({ FeedAgeSeconds: [0, 15, 30] });
  });

  it('knows nothing of an account whose table is down, and so does not tell how many agents there are', async () => {
    const around = (table: AgentTable): AgentTable => ({
      ...table,
      query: async (pk, between) => (pk === 'demo' ? unavailable() : table.query(pk, between)),
    });
    const accounts = fixedAccounts([kolkataAccount, withKey('other-key', 'other')]);
    const { poll, telemetry } = setUp({ accounts, around });
    await poll();

    expect(telemetry.measured).toEqual({ FeedAgeSeconds: [0] });
  });

  it.each<[string, Setting]>([
    ['the accounts cannot be read', { accounts: { ...fixedAccounts(), current: unavailable } }],
    ['no account is polled', { accounts: fixedAccounts() }],
  ])('measures nothing where %s', async (_title, setting) => {
    const { poll, telemetry } = setUp(setting);
    await poll();

    expect(telemetry.measured).toEqual({});
  });

  it('measures nothing of a floor that another one is at', async () => {
    const { poll, telemetry, process } = setUp({});
    const other = process();
    await Promise.all([poll(), other.poll()]);

    expect([age(telemetry), age(other.telemetry)].filter((values) => values !== undefined)).toEqual([[0]]);
  });

  it('forgets an account that is polled no more', async () => {
    const book = { accounts: [kolkataAccount, withKey('other-key', 'other')] };
    const current = async () => accountIndex(book.accounts);
    const { poll, telemetry, advance } = setUp({ accounts: { current, refresh: current } });
    await poll();
    book.accounts = [kolkataAccount];
    advance(slotMs);
    await poll();

    expect(telemetry.measured).toMatchObject({ FeedAgeSeconds: [0, 0], AgentsReady: [2, 1] });
  });
});

describe('two processes', () => {
  it('poll a slot once, one after the other, and neither is overtaken', async () => {
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

  it('poll a slot once, side by side, and one of them is overtaken', async () => {
    const { poll, telemetry, process, service } = setUp({});
    const other = process();
    await Promise.all([poll(), other.poll()]);

    expect(service.requests).toHaveLength(1);
    expect((telemetry.counts.PollConflicts ?? 0) + (other.telemetry.counts.PollConflicts ?? 0)).toBe(1);
  });
});

describe('a second try', () => {
  it('keeps the next polls waiting for a moment, and none of them is passed over', async () => {
    const { poll, advance, pauses, service, telemetry } = setUp({ logins: [noReply('timeout'), floor] });
    for (let slot = 0; slot < 6; slot++) {
      await poll();
      if (slot < 5) advance(slotMs);
    }

    expect(service.requests).toHaveLength(7);
    expect(pauses.length).toBeGreaterThan(0);
    for (const ms of pauses) expect(ms).toBeLessThanOrEqual(5_005);
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 6 });
    expect(telemetry.counts).not.toHaveProperty('PollsSkipped');
  });

  it('is not begun where the first one took so long that the run would not come to its end', async () => {
    const setting: ReturnType<typeof setUp> = setUp({
      logins: [
        () => {
          setting.advance(5_000);
          return reply('', 500);
        },
        floor,
      ],
    });
    await setting.poll();

    expect(setting.service.requests).toHaveLength(1);
  });
});

describe('an account that cannot be served while another one is', () => {
  const accounts = fixedAccounts([withKey('a'), withKey('b', 'other')]);

  /** A table that takes nothing of `other` while it is down. */
  const setting = () => {
    let isDown = false;
    const refuse = (pk: string) => {
      if (isDown && pk.startsWith('other')) throw new Error('down');
    };
    const around = (table: AgentTable): AgentTable => ({
      ...table,
      async query(pk, between) {
        refuse(pk);
        return table.query(pk, between);
      },
      async write(guard, together) {
        refuse(guard.pk);
        return table.write(guard, together);
      },
    });
    return { ...setUp({ accounts, around }), fail: (down: boolean) => (isDown = down) };
  };

  it('ages all the same, until it is served again', async () => {
    const { poll, telemetry, advance, fail } = setting();
    const slots = [false, true, true, true, false];
    for (const down of slots) {
      fail(down);
      await poll();
      advance(slotMs);
    }

    expect(telemetry.measured.FeedAgeSeconds).toEqual([0, 15, 30, 45, 0]);
  });

  it('ages from its first failure, where it was never served', async () => {
    const { poll, telemetry, advance, fail } = setting();
    fail(true);
    for (let slot = 0; slot < 3; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(telemetry.measured.FeedAgeSeconds).toEqual([0, 15, 30]);
  });
});
