import { describe, expect, it } from 'vitest';
import type { PolledAccount } from '../../../lib/agents/get-agent-logins.ts';
import { tokenCache } from '../../../lib/agents/token-cache.ts';
import { polledAccount, sentinelKey, sentinelToken, tokenAccount } from '../../fixtures/accounts.ts';
import {
  errorText,
  manualClock,
  noReply,
  type Reply,
  reply,
  scriptedService,
  tokenReply,
} from '../../support/agent-polling.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';
import { recordingTelemetry, unavailable } from '../../support/memory-ports.ts';

const minuteMs = 60_000;
const account = tokenAccount as never as PolledAccount;

/** A table, a clock, and a service that hands out the tokens token-1, token-2 and so on, unless it is told otherwise. */
const setUp = ({ token, onCall }: { token?: readonly Reply[]; onCall?: (operation: string) => void } = {}) => {
  const time = manualClock('2026-11-20T06:00:00.000Z');
  const table = memoryAgentTable(onCall && { onCall });
  const telemetry = recordingTelemetry();
  const service = scriptedService({
    token: token ?? Array.from({ length: 99 }, (_, index) => tokenReply(`token-${index + 1}`)),
  });
  const ports = { table, service, telemetry, clock: time.clock };
  return {
    ...time,
    table,
    telemetry,
    service,
    ports,
    instance: () => tokenCache(ports),
    asked: () => service.requests.length,
  };
};

const gives = (token: string | undefined) => ({ ok: true, value: token });
const fails = (reason: string) => ({ ok: false, problem: { reason } });

describe('the token of an account', () => {
  it('is none where the account needs none', async () => {
    const { instance, asked, table } = setUp();

    expect(await instance()(polledAccount as never)).toEqual(gives(undefined));
    expect(asked()).toBe(0);
    expect(table.all()).toEqual([]);
  });

  it('is the configured one, whatever became of it', async () => {
    const { instance, asked } = setUp();
    const bearer = instance();
    const fixed = { ...polledAccount, token: { kind: 'static', value: 'fixed' } } as never;

    expect(await bearer(fixed)).toEqual(gives('fixed'));
    expect(await bearer(fixed, 'fixed')).toEqual(gives('fixed'));
    expect(asked()).toBe(0);
  });

  it('is generated once and used for 55 minutes', async () => {
    const { instance, asked, advance } = setUp();
    const bearer = instance();

    expect(await bearer(account)).toEqual(gives('token-1'));
    advance(55 * minuteMs - 1);
    expect(await bearer(account)).toEqual(gives('token-1'));
    expect(asked()).toBe(1);

    advance(1);
    expect(await bearer(account)).toEqual(gives('token-2'));
    expect(asked()).toBe(2);
  });

  it('is shared by instances and outlives restarts, through the table', async () => {
    const { instance, asked, advance } = setUp();
    const [one, other] = [instance(), instance()];

    expect(await one(account)).toEqual(gives('token-1'));
    expect(await other(account)).toEqual(gives('token-1'));
    advance(54 * minuteMs);
    expect(await instance()(account)).toEqual(gives('token-1'));
    expect(asked()).toBe(1);
  });

  it('is each account’s own', async () => {
    const { instance } = setUp();
    const bearer = instance();

    expect(await bearer(account)).toEqual(gives('token-1'));
    expect(await bearer({ ...account, userName: 'other', apiKeys: ['other-key'] })).toEqual(gives('token-2'));
    expect(await bearer(account)).toEqual(gives('token-1'));
  });

  it('is generated anew where the key was changed, since nobody can open the old one', async () => {
    const { instance } = setUp();
    const bearer = instance();
    await bearer(account);

    expect(await bearer({ ...account, apiKeys: ['new-key'] })).toEqual(gives('token-2'));
  });
});

describe('a token that the service has refused', () => {
  it('is replaced once it is five minutes old', async () => {
    const { instance, asked, advance } = setUp();
    const bearer = instance();
    await bearer(account);
    advance(5 * minuteMs);

    expect(await bearer(account, 'token-1')).toEqual(gives('token-2'));
    expect(await bearer(account)).toEqual(gives('token-2'));
    expect(asked()).toBe(2);
  });

  it('is not replaced while it is younger: another would fare no better', async () => {
    const { instance, asked, advance } = setUp();
    const bearer = instance();
    await bearer(account);
    advance(5 * minuteMs - 1);

    expect(await bearer(account, 'token-1')).toEqual(fails('unauthorised'));
    expect(asked()).toBe(1);
  });

  it('is replaced by the one that another instance has got meanwhile', async () => {
    const { instance, asked, advance } = setUp();
    const [one, other] = [instance(), instance()];
    await one(account);
    await other(account);
    advance(10 * minuteMs);
    await one(account, 'token-1');

    expect(await other(account, 'token-1')).toEqual(gives('token-2'));
    expect(asked()).toBe(2);
  });
});

describe('the limit of ten tokens an hour', () => {
  it('holds in any hour, with a refusal at every turn and a restart at every other', async () => {
    const { instance, advance, clock, service } = setUp();
    const at: number[] = [];
    let bearer = instance();
    let token: string | undefined;
    for (let minute = 0; minute < 300; minute++) {
      const before = service.requests.length;
      const got = await bearer(account, token);
      if (service.requests.length > before) at.push(clock().getTime());
      if (got.ok) token = got.value;
      if (minute % 2 === 0) bearer = instance();
      advance(minuteMs);
    }

    for (const from of at)
      expect(at.filter((one) => one >= from && one <= from + 60 * minuteMs).length).toBeLessThanOrEqual(10);
    expect(at.length).toBeGreaterThan(40);
  });

  it('counts requests that brought no token', async () => {
    const { instance, asked, advance } = setUp({ token: [reply('', 500)] });

    for (let second = 0; second < 10; second++) {
      expect(await instance()(account)).toEqual(fails('no-token'));
      advance(1_000);
    }
    expect(await instance()(account)).toEqual(fails('token-limit'));
    expect(asked()).toBe(10);

    // The first was noted at 06:00:00, and had reached the service within the 13 seconds that its run could take.
    advance(60 * minuteMs + 3_000);
    expect(await instance()(account)).toEqual(fails('token-limit'));
    expect(asked()).toBe(10);
    advance(1);
    expect(await instance()(account)).toEqual(fails('no-token'));
    expect(asked()).toBe(11);
  });

  it('counts a request from when its token was here, and one that is under way by when its run is over', async () => {
    const requests: unknown[] = [];
    const setting = setUp({
      onCall: (operation) => {
        if (operation === 'after write') requests.push(setting.table.all()[0]?.['requests']);
        if (operation === 'after write' && requests.length === 1) setting.advance(700);
      },
    });
    await setting.instance()(account);

    expect(requests).toEqual([[Date.parse('2026-11-20T06:00:13.000Z')], [Date.parse('2026-11-20T06:00:00.700Z')]]);
  });

  it('leaves the requests before as they are noted', async () => {
    const { instance, table, advance } = setUp({ token: [reply('', 500), tokenReply('token-2')] });
    await instance()(account);
    advance(minuteMs);
    await instance()(account);

    expect(table.all()[0]?.['requests']).toEqual([
      Date.parse('2026-11-20T06:00:13.000Z'),
      Date.parse('2026-11-20T06:01:00.000Z'),
    ]);
  });

  it('counts a request that was noted by a run that was cut before its end', async () => {
    let writes = 0;
    const onCall = (operation: string) => {
      if (operation === 'before write' && ++writes % 2 === 0) throw new Error('aborted');
    };
    const { instance, asked, advance } = setUp({ onCall });
    for (let run = 0; run < 12; run++) {
      await instance()(account);
      advance(minuteMs);
    }

    expect(asked()).toBe(10);
  });
});

describe('an exchange that fails', () => {
  it.each<[string, Reply, string]>([
    ['no answer in time', noReply('timeout'), 'no-token'],
    ['no connection', noReply('connection'), 'no-token'],
    ['a redirect', noReply('redirect'), 'no-token'],
    ['a request that cannot be sent', noReply('unsendable'), 'unsendable'],
    ['a fault of the service', reply('', 500), 'no-token'],
    ['wrong credentials', reply({ status: 'false' }, 401), 'unauthorised'],
    ['wrong credentials told with 200', errorText('userName or apiKey is Invalid'), 'unauthorised'],
    ['the service’s limit', reply('', 429), 'token-limit'],
    ['an answer without a token', reply({}), 'no-token'],
  ])('says so, and the next one may succeed: %s', async (_title, answer, reason) => {
    const { instance, telemetry } = setUp({ token: [answer, tokenReply('token-2')] });
    const bearer = instance();

    expect(await bearer(account)).toEqual(fails(reason));
    expect(telemetry.counts).toEqual({});
    expect(await bearer(account)).toEqual(gives('token-2'));
    expect(telemetry.counts).toEqual({ TokensGenerated: 1 });
  });

  it('says for how long the service asks to be left alone', async () => {
    const { instance } = setUp({ token: [reply('', 503, 90)] });

    expect(await instance()(account)).toEqual({ ok: false, problem: { reason: 'no-token', retryAfterSeconds: 90 } });
  });

  it('sends nothing where another run has noted a request meanwhile', async () => {
    let isOther = false;
    const { instance, asked, ports } = setUp({
      onCall: (operation) => {
        if (operation !== 'after rows' || isOther) return;
        isOther = true;
        ports.table.write({ pk: 'demo#token', sk: 'token', account: 'demo', kind: 'token', requests: [], version: 1 });
      },
    });

    expect(await instance()(account)).toEqual(fails('no-token'));
    expect(asked()).toBe(0);
  });

  it('sends nothing where the request cannot be noted', async () => {
    const { instance, asked, ports } = setUp();
    const bearer = tokenCache({ ...ports, table: { ...ports.table, write: unavailable } });

    await expect(bearer(account)).rejects.toThrow();
    expect(asked()).toBe(0);
    expect(await instance()(account)).toEqual(gives('token-1'));
  });

  it('sends nothing where the table cannot be read', async () => {
    const { asked, ports } = setUp();
    const bearer = tokenCache({ ...ports, table: { ...ports.table, query: unavailable } });

    await expect(bearer(account)).rejects.toThrow();
    expect(asked()).toBe(0);
  });

  it('uses a token that could not be shared, and tells of the fault', async () => {
    let writes = 0;
    const { instance, telemetry, asked } = setUp({
      onCall: (operation) => {
        if (operation === 'before write' && ++writes === 2) throw new Error('down');
      },
    });
    const bearer = instance();

    expect(await bearer(account)).toEqual(gives('token-1'));
    expect(telemetry.places()).toEqual(['agent-store']);
    expect(await bearer(account)).toEqual(gives('token-1'));
    expect(asked()).toBe(1);
    expect(await instance()(account)).toEqual(gives('token-2'));
  });

  it('sends nothing, and leaves the row, where something else wrote it', async () => {
    const { instance, table, asked } = setUp();
    await table.put([{ pk: 'demo#token', sk: 'token', kind: 'token' }]);
    const before = table.all();

    expect(await instance()(account)).toEqual(fails('no-token'));
    expect(asked()).toBe(0);
    expect(table.all()).toEqual(before);
  });
});

describe('what is kept of tokens', () => {
  it('has neither a token nor a key in it', async () => {
    const { instance, table, advance } = setUp({
      token: [tokenReply(sentinelToken), tokenReply(`${sentinelToken}-2`)],
    });
    const bearer = instance();
    await bearer(account);
    advance(10 * minuteMs);
    await bearer(account, sentinelToken);
    const kept = JSON.stringify([table.all(), table.changes()]);

    expect(table.all()).toMatchObject([{ pk: 'demo#token', sk: 'token', kind: 'token', version: 4 }]);
    expect(kept).not.toContain('SENTINEL');
    expect(kept).not.toContain(sentinelKey);
    for (const text of [sentinelToken, sentinelKey])
      expect(kept).not.toContain(Buffer.from(text).toString('base64url').slice(0, 16));
  });

  it('outlives every request that counts, and goes two days after the last', async () => {
    const { instance, table, clock } = setUp();
    await instance()(account);

    expect(table.all()[0]?.['expiresAt']).toBe(clock().getTime() / 1000 + 2 * 86_400);
  });

  it('is bounded, however often tokens are asked for', async () => {
    const { instance, table, advance } = setUp();
    for (let run = 0; run < 50; run++) {
      await instance()(account);
      advance(56 * minuteMs);
    }

    expect(table.all()[0]?.['requests']).toHaveLength(2);
  });
});
