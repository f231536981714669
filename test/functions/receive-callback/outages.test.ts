import { describe, expect, it } from 'vitest';
import { accountsPlaceholder } from '../../../lib/accounts/accounts.ts';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/reply.ts';
import { bodyOf } from '../../../lib/callback/store-or-park.ts';
import type { Fault } from '../../deployment/functions.ts';
import { call, type Deployment, deployment, type FailingPart } from '../../deployment/index.ts';
import { demoAccount, otherAccount } from '../../fixtures/accounts.ts';
import { digits, specificationSummary as summary } from '../../fixtures/calls.ts';
import type { Request } from '../../support/local-servers.ts';

const callId = summary.monitorUCID;
const other = call({ monitorUCID: '8' });
/** Broken content with a live key, which is quarantined for the account. */
const broken = '{"Apikey":"demo-key",';

const reply = (part: object) => ({ status: 200, stored: 0, duplicates: 0, quarantined: 0, ...part });
const refusal = (reason: RejectionReason) => {
  const { status, message } = rejectionResponses[reason];
  return reply({ status, reason, message });
};

describe('while a table is down', () => {
  it('each record of a post is stored or parked by itself, and parked ones go in one request', async () => {
    const d = await deployment();
    const list = [other, { ...summary, monitorUCID: '9' }, summary, 'odd'];

    expect(await d.fail('calls', { after: 1, times: 4 }).during(() => d.post(list))).toMatchObject({
      status: 200,
      stored: 1,
      parked: 2,
      quarantined: 1,
      reason: 'not-an-object',
    });
    expect(d.calls('sqs')).toBe(1);
    await d.settled();
    for (const id of ['8', '9', callId]) expect(await d.events(id)).toHaveLength(1);
  });

  it('what can never be stored is parked until quarantine is up', async () => {
    const d = await deployment();
    const huge = call({ Comments: digits(320_000) });

    expect(await d.fail('quarantine').during(() => d.post(huge))).toEqual(reply({ parked: 1 }));
    await d.recover();
    expect(await d.quarantine()).toMatchObject([{ reason: 'not-storable', account: 'demo', receivedAt: d.startedAt }]);
    expect(d.parked()).toEqual([]);
  });

  it('a call that no message can hold is parked as an entry of quarantine, beside the others', async () => {
    const d = await deployment();
    const comments = Array.from({ length: 48 }, (_, index) => ({
      ...summary,
      DataUniqueId: String(index),
      [`n${index}`]: 'x'.repeat(20_000),
    }));
    const large = { ...Object.assign({}, ...comments) };

    expect(await d.fail('dynamodb').during(() => d.post([large, other]))).toEqual(reply({ parked: 2 }));
    const [first, second] = d.parked();
    expect(first).toMatchObject({ kind: 'quarantine', entry: { reason: 'not-storable', storedAs: 'gzip' } });
    expect(first?.kind === 'quarantine' && JSON.parse(bodyOf(first.entry))).toMatchObject({ key: { callId } });
    expect(second).toMatchObject({ kind: 'delivery', key: { callId: '8' } });
  });

  it.each<[string, readonly FailingPart[], unknown, readonly string[]]>([
    ['a call', ['calls', 'sqs'], summary, ['call-store', 'parking']],
    ['what was not understood', ['quarantine', 'sqs'], broken, ['quarantine', 'parking']],
  ])('and the queue too, %s is refused', async (_what, parts, data, faults) => {
    const d = await deployment();

    expect(await d.fail(parts).during(() => d.post(data))).toEqual(refusal('stores-unavailable'));
    expect(d.faults()).toEqual(faults);
    expect(d.parked()).toEqual([]);
  });

  it('and the queue too, a list is refused whole, and the sender’s next try finds what was stored', async () => {
    const d = await deployment();
    await d.post(summary);

    expect(await d.fail(['dynamodb', 'sqs']).during(() => d.post([summary, other]))).toMatchObject({ status: 503 });
    expect(await d.post([summary, other])).toEqual(reply({ stored: 1, duplicates: 1 }));
  });

  it('a table that does not answer is given up', async () => {
    const d = await deployment({ storeDeadlineMs: 100 });

    expect(await d.fail('dynamodb', { kind: 'hang' }).during(() => d.post([summary, summary, other]))).toEqual(
      reply({ parked: 3 }),
    );
  });

  it('the queue is called only for what is to be parked', async () => {
    const d = await deployment();

    expect(await d.fail('sqs').during(() => d.post([summary, 'odd']))).toMatchObject({ stored: 1, quarantined: 1 });
    expect(d.faults()).toEqual([]);
  });
});

/** As many records as a post may have, each of a call of its own. */
const callIds = Array.from({ length: 500 }, (_, index) => String(1_000 + index));
const fullPost = callIds.map((monitorUCID) => call({ monitorUCID }));

/** Recovers and publishes everything. Each call then has one row of one version, and one event. */
const expectEachOnce = async (d: Deployment) => {
  await d.settled();
  const rows = (await d.rows('calls')).map(({ callId, version }) => [callId, version]);
  expect(rows.toSorted()).toEqual(callIds.map((id) => [id, 1]));
  const events = d.published().map(({ type, detail }) => [detail['callId'], type, detail['revision']]);
  expect(events.toSorted()).toEqual(callIds.map((id) => [id, 'Call Summary Recorded', 1]));
};

/** While `act` runs, each write to the calls takes 1.28 s, in which 32 are under way: one ends every 40 ms. */
const withSlowTable = <Outcome>(d: Deployment, act: () => Promise<Outcome>) =>
  d.before('calls', { operation: 'PutItem' }, () => d.advance(40)).during(act);

describe('a post of 500 records', () => {
  it('is stored in part and parked in part while the table is slow, and then every call is stored once', async () => {
    const d = await deployment();
    const answer = await withSlowTable(d, () => d.post(fullPost));

    expect(answer).toEqual(reply({ stored: expect.any(Number), parked: 500 - answer.stored }));
    expect(answer.stored).toBeGreaterThan(250);
    expect(await d.rows('calls')).toHaveLength(answer.stored);
    expect(d.parked()).toHaveLength(answer.parked);
    expect(d.faults()).toEqual([]);
    await expectEachOnce(d);
  });

  it('is refused if what is left cannot be parked; its repeats store what is left, and each call once', async () => {
    const d = await deployment();
    const slowPost = () => withSlowTable(d, () => d.fail('sqs').during(() => d.post(fullPost)));
    expect(await slowPost()).toEqual(refusal('stores-unavailable'));
    const { length: first } = await d.rows('calls');
    expect(first).toBeLessThan(300);

    // So that it begins with record 150.
    d.advance(130);
    expect(await slowPost()).toEqual(refusal('stores-unavailable'));
    const { length: second } = await d.rows('calls');
    expect(second).toBe(first + 150);

    expect(await d.post(fullPost)).toEqual(reply({ stored: 500 - second, duplicates: second }));
    await expectEachOnce(d);
  });

  it.each<Fault>(['crash-before', 'crash-after'])(
    'whose process crashes half way (%s) has no answer, and its repeat stores the rest',
    async (kind) => {
      const d = await deployment();
      expect(await d.fail('calls', { kind, after: 250, times: 1 }).during(() => d.post(fullPost))).toBeUndefined();
      const { length: first } = await d.rows('calls');
      expect(first).toBeGreaterThan(220);

      expect(await d.post(fullPost)).toEqual(reply({ stored: 500 - first, duplicates: first }));
      await expectEachOnce(d);
    },
  );

  it('is parked whole, within the time of the run, if the accounts and what it holds took too long', async () => {
    const d = await deployment();
    const late = d.before('secrets', {}, () => d.advance(11_000));

    expect(await late.during(() => d.post(fullPost))).toEqual(reply({ parked: 500 }));
    expect(d.operations()).not.toContain('PutItem');
  });
});

describe('recovery', () => {
  it('stores a repeated message once', async () => {
    const d = await deployment();
    await d.fail('dynamodb').during(() => d.post(call({ Status: 'Abandoned' })));
    const [parked] = d.parked();
    for (let repeats = 0; repeats < 2; repeats++) d.park(JSON.stringify(parked));
    await d.recover();

    expect(await d.row(callId)).toMatchObject({ version: 1 });
    expect(d.parked()).toEqual([]);
  });

  it('fails for messages that it cannot read, one by one, until they are dead letters', async () => {
    const d = await deployment();
    await d.fail('dynamodb').during(() => d.post(summary));
    const unreadable = ['{', '{"kind":"other"}', '"x"'];
    for (const body of unreadable) d.park(body);
    await d.recover();

    expect(await d.row(callId)).toBeDefined();
    expect(d.faults()).toEqual(['call-store', ...unreadable.map(() => 'parked-message')]);
    expect(d.logs().filter(({ where }) => where === 'parked-message')).toMatchObject(
      ['the value itself', 'kind', 'the value itself'].map((wrong) => ({
        detail: `The message holds nothing that was parked. Wrong: ${wrong}`,
      })),
    );
    await d.settled();
    expect(d.deadLetters()).toEqual(unreadable);
  });

  it.each<[FailingPart, object]>([
    ['calls', { kind: 'delivery' }],
    ['quarantine', { kind: 'quarantine' }],
  ])('leaves in the queue what the table of %s does not accept', async (part, left) => {
    const d = await deployment();
    await d.fail('dynamodb').during(() => d.post([summary, 'odd']));
    await d.fail(part).during(d.recover);

    expect(d.parked()).toMatchObject([left]);
  });

  it('goes on with the next message if a table does not answer for one', async () => {
    const d = await deployment({ storeDeadlineMs: 150 });
    await d.fail('dynamodb').during(() => d.post([summary, other]));
    await d.fail('calls', { kind: 'hang', times: 1 }).during(d.recover);

    expect(d.parked()).toHaveLength(1);
  });
});

describe('the accounts', () => {
  const fresh = [{ ...demoAccount, apiKeys: ['demo-key', 'fresh-key-77'] }, otherAccount];
  /** A receiver whose accounts were read, and then changed. Time passes until they may be read again. */
  const rotated = async () => {
    const d = await deployment();
    await d.post(other);
    d.putAccounts(fresh);
    d.advance(30_000);
    return d;
  };
  const everything = async (d: Deployment) =>
    JSON.stringify([await d.rows('calls'), await d.rows('quarantine'), d.logs()]);

  it('that cannot be read make the receiver refuse every post', async () => {
    const d = await deployment();

    expect(await d.fail('secrets').during(() => d.post(summary))).toEqual(refusal('accounts-unavailable'));
    expect(d.faults()).toEqual(['accounts']);
  });

  const notSetUp = 'The accounts secret still holds its placeholder: put in the JSON list of accounts (README, Deploy)';
  const malformed = '[{"userName": "Sentinel", "apiKeys": "Sentinel"}]';
  it.each<[string, string | undefined, RejectionReason, object]>([
    [
      'that nobody has filled in',
      accountsPlaceholder,
      'accounts-not-set-up',
      { error: 'AccountsNotSetUp', detail: notSetUp },
    ],
    ['that are malformed', malformed, 'accounts-unavailable', { detail: expect.stringContaining('[0].apiKeys: ') }],
    ['without a text', undefined, 'accounts-unavailable', { detail: 'The accounts secret holds no text' }],
  ])(
    '%s make the receiver refuse every post and the poller none of its ticks: each says why, without a value',
    async (_what, secret, reason, line) => {
      const d = await deployment();
      d.putAccounts(secret);
      d.restart();
      expect(await d.post(summary)).toEqual(refusal(reason));
      const { poll } = d.startAnother();
      const Records = [{ attributes: { SentTimestamp: String(Date.parse(d.now())) } }];

      expect(await poll({ Records } as never)).toMatchObject({ answer: { batchItemFailures: [] } });
      const faults = d.logs().filter(({ level }) => level === 'error');
      expect(faults).toMatchObject(Array(2).fill({ where: 'accounts', message: 'A dependency failed', ...line }));
      expect(JSON.stringify(d.logs())).not.toMatch(/Sentinel| {4}at |stack|node:internal/);
    },
  );

  it('are read again for a key that was added a moment ago, which is redacted like any other', async () => {
    const d = await rotated();
    const post = [{ ...summary, Apikey: 'fresh-key-77', Comments: 'see fresh-key-77' }, 'fresh-key-77'];

    expect(await d.post(post)).toMatchObject({ status: 200, stored: 1, quarantined: 1, reason: 'not-an-object' });
    expect(await everything(d)).not.toContain('fresh-key-77');
  });

  const cut = (key: string) => `{"Apikey":"${key}",`;
  it.each<[string, object | string, reads: number, account?: string]>([
    ['once for an unknown key', { ...summary, Apikey: 'nobodys-key' }, 2],
    ['not for a live key', summary, 1],
    ['not without a key', { ...summary, Apikey: '' }, 1],
    ['not for another account’s user name', { ...summary, UserName: 'other' }, 1],
    ['for a new key in broken content', cut('fresh-key-77'), 2, 'demo'],
    ['for an unknown key in broken content', cut('nobodys-key-77'), 2],
    ['not for a live key in broken content', cut('demo-key'), 1, 'demo'],
  ])('are read again %s', async (_what, data, reads, account) => {
    const d = await rotated();
    await d.post(data);

    expect(d.calls('secrets')).toBe(reads);
    const kept = (await d.quarantine()).filter(({ body }) => body === cut('***'));
    expect(kept.map((entry) => entry.account)).toEqual(account === undefined ? [] : [account]);
  });

  it.each<[string, object | string]>([
    ['a call', { ...summary, Apikey: 'fresh-key-77' }],
    ['broken content', '{"Apikey":"fresh-key-77",'],
    ['a stranger’s key', { ...summary, Apikey: 'nobodys-key-77', UserName: 'nobody' }],
  ])(
    'stay in use while they cannot be read again, and an unknown key is then to be sent later: %s',
    async (_what, post) => {
      const d = await rotated();

      await d.fail('secrets').during(async () => {
        for (let posts = 0; posts < 2; posts++) expect(await d.post(post)).toEqual(refusal('accounts-unavailable'));
        expect(await d.post(summary)).toMatchObject({ status: 200, stored: 1 });
        expect(await d.post({ ...summary, Apikey: '' })).toMatchObject({ status: 401, reason: 'key-missing' });
      });
      expect(await d.post(post)).toEqual(refusal('accounts-unavailable'));
      expect(d.faults()).toEqual(['accounts']);
      expect(await d.quarantine()).toEqual([]);

      d.advance(30_000);
      expect(await d.post(post)).not.toMatchObject({ reason: 'accounts-unavailable' });
    },
  );

  const secret = 'a-long-callback-secret';
  it.each<[string, object, Request, number]>([
    ['of one of ours', { ...summary, Apikey: 'x' }, {}, 1],
    ['that only guesses a user name', { ...summary, Apikey: '' }, {}, 0],
    ['of an unknown sender', { ...summary, Apikey: 'x', UserName: 'nobody' }, {}, 0],
    ['with an unknown key at the secret address', { ...summary, Apikey: 'x' }, { secret }, 1],
    ['of an unknown user at the secret address', { ...summary, Apikey: '', UserName: 'nobody' }, { secret }, 1],
  ])('that reject a post %s count so many: %#', async (_what, data, request, count) => {
    const d = await deployment(request.secret === undefined ? {} : { secret: request.secret });
    await d.post(data, request);

    expect(d.metrics()['AccountRejected'] ?? 0).toBe(count);
  });
});
