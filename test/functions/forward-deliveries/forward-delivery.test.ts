import { describe, expect, it } from 'vitest';
import { customerSearch, customerToErase } from '../../../cli/erase/erase-customer.ts';
import { eraseCall } from '../../../cli/erase/erase-person.ts';
import { dynamoVersionedRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import {
  forwardDelivery,
  forwardMessages,
  maxForwardAttempts,
  pauseSeconds,
  reportFailure,
} from '../../../functions/forward-deliveries/forward-delivery.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { compressText } from '../../../lib/core/encoding.ts';
import {
  call,
  type DeploymentOptions,
  deployment,
  type FailingPart,
  type Failure,
  reportOf,
} from '../../deployment/index.ts';
import { postedValue } from '../../deployment/telephony.ts';
import { otherAccount, polledAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { formOf, type Request } from '../../support/local-servers.ts';
import { generousDeadline, recordingTelemetry } from '../../support/memory-ports.ts';
import { redriveAll, renormaliseAll } from '../../support/run-here.ts';

const old = 'https://old.example/secret-path/callDetails';
const other = 'https://other.example/hook';
const hour = 3_600_000;

interface Post {
  readonly address: string;
  readonly body: string;
}

/** A deployment whose account forwards to these addresses. `problemOf` says why a receiver does not accept a post. */
const forwarding = async (
  addresses: readonly string[] | undefined,
  problemOf: (post: Post) => string | undefined = () => undefined,
  more: DeploymentOptions = {},
) => {
  const posts: Post[] = [];
  const accounts = (forwardTo: readonly string[] | undefined) => [
    { ...polledAccount, ...(forwardTo && { forwardTo }) },
    otherAccount,
  ];
  const d = await deployment({
    accounts: accounts(addresses),
    async receiver(address, body) {
      const problem = problemOf({ address, body });
      if (problem === undefined) posts.push({ address, body });
      return problem;
    },
    ...more,
  });
  /** Time passes in steps of ten minutes; forwarding tries what is due. */
  const passes = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 600_000) {
      d.advance(600_000);
      await d.forward();
    }
  };
  const bodies = (address = old) => posts.filter((post) => post.address === address).map(({ body }) => body);
  return { d, posts, bodies, passes, forwardTo: (next: readonly string[]) => d.putAccounts(accounts(next)) };
};

/** Erases a customer as `callfeed erase` does. */
const eraseCustomer = async (d: Awaited<ReturnType<typeof deployment>>, number: string) => {
  const rows = (await d.rows('calls')).filter((row) => 'deliveries' in row);
  const settings = {
    retentionDays: 730,
    clock: () => new Date(d.now()),
    rows: dynamoVersionedRows(d.dynamodb, d.tables.calls),
  };
  const person = customerToErase(customerSearch(number) ?? expect.unreachable(), 'demo');
  expect(await eraseCall(settings)(rows, person, generousDeadline())).toBeGreaterThan(0);
};

const first = call({ monitorUCID: '42', Apikey: sentinelKey });
const second = first.withDisposition('Sale 10 % & “more”');

describe('a delivery', () => {
  it('is posted on byte for byte as the service posted it, once, to each address', async () => {
    const { d, bodies } = await forwarding([old, other]);
    await d.post(first);
    await d.post(first);
    await d.post(second);
    await d.forward();

    for (const address of [old, other])
      expect(bodies(address)).toEqual([first, second].map(({ fields }) => formOf(fields)));
    expect(d.forwarding()).toEqual({ waiting: 0, dead: 0 });
    expect(d.metrics()).not.toHaveProperty('ForwardsFailed');
  });

  it('has its key back where it was, and asterisks of the sender stay', async () => {
    const { d, bodies } = await forwarding([old]);
    const AudioFile = `https://rec.example/1.mp3?apikey=${sentinelKey}&to=***`;
    const spaced = `{ "meta":{"apikey":"****"}, "monitorUCID" : "7", "Status":"Answered","Comments":"***", "AudioFile":"${AudioFile}", "Apikey" : "${sentinelKey}" }`;
    await d.post(spaced);
    await d.forward();

    expect(bodies()).toEqual([formOf(spaced.replace('****', '***'))]);
  });

  const own = `"Apikey":"${sentinelKey}"`;
  const foreign = 'THEIR-OWN-KEY-1';
  it.each([
    ['a link to another host', `"AudioFile":"https://vendor.example/1.mp3?api_key=${foreign}"`],
    ['a comment that names a key', `"Comments":"customer wrote apikey=${foreign}"`],
    ['asterisks where a key could be', '"UUI":"apikey=***","Comments":"***"'],
    ['a field of another name', `"partnerApiKey":"${foreign}"`],
    ['a field of that name', `"U":"?apikey=${sentinelKey}&apikey=${foreign}","Partner":{"apikey":"${foreign}"}`],
    ['a comment with it', `"Comments":"my key is ${sentinelKey}"`],
  ])('that was parked has its key back, and no place of somebody else’s has it: %s', async (_what, field) => {
    const { d, bodies } = await forwarding([old]);
    const posted = `{"monitorUCID":"7",${field},${own}}`;
    await d.fail('calls').during(() => d.post(posted));
    await d.settled();
    await d.forward();

    expect(bodies()).toEqual([formOf(posted.replaceAll(foreign, '***'))]);
  });

  it.each([
    ['was stored before forwarding noted where keys are', undefined, `/?apikey=${sentinelKey}`],
    ['has more keys than are noted', [old], `&apikey=${sentinelKey}`.repeat(21)],
  ])('that %s has its key back in its own field only', async (_what, addresses, link) => {
    const { d, bodies, forwardTo } = await forwarding(addresses);
    await d.post(`{"monitorUCID":"7","AudioFile":"https://rec.example/${link}",${own}}`);
    forwardTo([old]);
    await d.forward(d.startAnother());

    const stored = link.replaceAll(/(?<==)[\w-]+/g, '***');
    expect(bodies()).toEqual([formOf(`{"monitorUCID":"7","AudioFile":"https://rec.example/${stored}",${own}}`)]);
  });

  it('of a call whose id no message can hold as it is holds up nothing', async () => {
    const { d, bodies } = await forwarding([old]);
    const odd = first.with({ monitorUCID: '4\uFFFF2\uFFFE' });
    await d.post(odd);
    await d.post(first);
    await d.forward();

    expect(bodies().toSorted()).toEqual([odd, first].map(({ fields }) => formOf(fields)).toSorted());
  });

  it('is a post of the service: what the call report adds is not posted on', async () => {
    const report = [reportOf({ '2026-11-20': [{ CallID: '77', Status: 'Answered' }] })];
    const { d, posts } = await forwarding([old], undefined, { service: { report } });
    await d.reconcile();
    expect(await d.row('77')).toBeDefined();
    await d.forward();

    expect(posts).toEqual([]);
  });

  it('makes the reply wait for nothing: the receiver makes the same single call', async () => {
    const { d } = await forwarding([old], () => 'timeout');
    await d.post(first);
    const before = d.operations().length;
    await d.post(first.with({ monitorUCID: '43' }));

    expect(d.operations().slice(before)).toEqual(['PutItem']);
  });

  it.each<[string, FailingPart, Failure]>([
    ['the queue is down, so that the stream repeats its change', 'sqs', {}],
    ['the table cannot be read', 'dynamodb', { operation: 'Query' }],
    ['the function crashes before its post', 'dynamodb', { operation: 'Query', kind: 'crash-before', times: 1 }],
  ])('waits while %s, and is posted on once and in order', async (_what, part, failure) => {
    const { d, bodies, passes } = await forwarding([old]);
    await d.post(first);
    await d.post(second);
    await d.fail(part, failure).during(() => d.forward());
    expect(bodies()).toEqual([]);
    await passes(hour);

    expect(bodies()).toEqual([first, second].map(({ fields }) => formOf(fields)));
  });
});

describe('a list', () => {
  const participant = (participantId: string) => ({
    ucid: '42',
    participantType: 'Agent',
    participantId,
    Apikey: sentinelKey,
  });
  const pretty = (records: readonly unknown[]) => JSON.stringify(records, undefined, 2);
  const asha = participant('asha');
  const ravi = participant('ravi');

  const agents = (count: number) => Array.from({ length: count }, (_, index) => participant(`agent ${index}`));
  const list = `\n${pretty([first.fields, asha, ravi, asha])}`;
  const longest = [second.fields, ...agents(19)];
  const lists = [[first.fields], [first.fields, asha], [first.fields, asha, ravi]];
  const odd = { event: 'ScreenPop', Apikey: sentinelKey };
  const elsewhere = first.with({ monitorUCID: '43' }).fields;
  it.each<[string, posted: readonly unknown[], forwarded: readonly unknown[]]>([
    ['is posted on as one post, byte for byte as the service posted it', [list, list, longest], [list, longest]],
    ['with a record that was posted before is posted on whole', lists, lists],
    ['of wrapped records is one for each', [[{ call: first.fields }, { call: second.fields }]], [[first], [second]]],
    ['with a record that is quarantined is one for each', [[first, odd]], [[first]]],
    ['about several calls is one for each', [[first.fields, elsewhere]], [[first], [elsewhere]]],
    ['of more than 20 records is one for each', [[first, ...agents(20)]], [first, ...agents(20)].map((one) => [one])],
  ])('%s', async (_what, posted, forwarded) => {
    const { d, bodies } = await forwarding([old, other]);
    for (const one of posted) await d.post(one);
    await d.forward();

    const expected = forwarded.map((one) => formOf(postedValue(one)));
    for (const address of [old, other]) expect(bodies(address).toSorted()).toEqual(expected.toSorted());
  });

  it('waits for a record that is parked, and later posts of the call wait with it', async () => {
    const { d, bodies, passes } = await forwarding([old]);
    const list = pretty([first.fields, asha]);
    await d.fail('calls', { holding: 'participant#' }).during(() => d.post(list));
    await d.post(second);
    await d.forward();
    expect(bodies()).toEqual([]);
    await d.settled();
    await passes(hour);

    // The queue knows a message again for five minutes, and the record was stored later than that.
    expect(bodies()).toEqual([formOf(list), formOf(second.fields), formOf(list)]);
  });

  it('is posted on without a record that the table never stores', async () => {
    const { d, bodies, passes } = await forwarding([old]);
    await d.fail('calls', { holding: 'participant#', kind: 'fail' }).during(async () => {
      await d.post([first, asha]);
      await passes(2 * hour);
    });

    expect(bodies()).toEqual([formOf([first.fields])]);
  });

  const inBerlin = { ...polledAccount, timeZone: 'Europe/Berlin', forwardTo: [old] };
  const [starting, joining] = [asha, ravi].map((one) => ({ ...one, StartTime: '2026-11-20 11:00:00' }));
  it.each([
    ['a list', formOf(pretty([first.fields, starting, joining])), [inBerlin, polledAccount]],
    // Without former ids the call's row is found first.
    ['a list, while nothing was forwarded', formOf(pretty([first.fields, starting])), [{ ...inBerlin, forwardTo: [] }]],
    ['a participant before its call', formOf([starting, first.fields]), [inBerlin]],
    ['a key in it', formOf(first.with({ AudioFile: `https://rec.example/?apikey=${sentinelKey}` }).fields), [inBerlin]],
    ['a key beside it', `${formOf(first.without('Apikey').fields)}&ApiKey=${sentinelKey}`, [inBerlin]],
  ])('is posted on whole and as it was once its rows were derived again: %s', async (_what, body, accounts) => {
    let isUp = false;
    const { d, bodies, passes } = await forwarding([old], () => (isUp ? undefined : 'timeout'));
    await d.send({ body });
    await d.forward();
    for (const account of accounts) await renormaliseAll(d, account);
    isUp = true;
    await passes(hour);

    expect(bodies()).toEqual([body]);
  });
});

describe('how a record was posted', () => {
  const stored = async (d: Awaited<ReturnType<typeof forwarding>>['d']) => JSON.stringify(await d.row('42'));

  it('is stored with it only for an account with addresses, and only where it was not alone', async () => {
    const plain = await forwarding(undefined);
    const forwarded = await forwarding([old]);
    await plain.d.post([first]);
    await forwarded.d.post(first);
    expect(await stored(plain.d)).not.toContain('postedIn');
    expect(await stored(forwarded.d)).not.toContain('postedIn');

    await forwarded.d.post([second]);
    expect(await stored(forwarded.d)).toContain('postedIn');
  });

  /** A key that JSON of PHP and forms escape. */
  const key = 'the-key/of+demo=1';
  const { Apikey: _key, ...keyless } = first.fields;
  const form = formOf(keyless);
  const beside = `ApiKey=${encodeURIComponent(key)}`;
  const keyed = JSON.stringify({ ...keyless, Apikey: key });
  const json = (body: string): Request => ({ body, headers: { 'content-type': 'application/json' } });

  it.each<[what: string, sent: Request, forwarded: string]>([
    ['beside data', { body: `${form}&${beside}` }, `${form}&${beside}`],
    ['in the query', { body: form, query: beside }, `${form}&${beside}`],
    ['in the query of JSON', { ...json(JSON.stringify(keyless)), query: beside }, `${form}&${beside}`],
    ['in the query beside data there', { method: 'GET', query: `${form}&${beside}`, headers: {} }, `${form}&${beside}`],
    ['beside data in JSON', json(JSON.stringify({ ApiKey: key, data: keyless })), `${form}&${beside}`],
    ['behind a blank one', { body: `${form}&apikey=`, query: beside }, `${form}&${beside}`],
    ['in the record', { body: formOf(keyed) }, formOf(keyed)],
    ['in the record with its slash escaped', { body: formOf(keyed.replace('the-key/', 'the-key\\/')) }, formOf(keyed)],
    ['in the record in escapes', { body: formOf(keyed.replace('the-key', '\\u0074he-key')) }, formOf(keyed)],
  ])('has the account’s key where it was, after a redrive too: %s', async (_what, sent, forwarded) => {
    const secret = 'a-long-callback-secret';
    const [former, present] = ['former-key-1', key].map((one) => ({
      ...polledAccount,
      apiKeys: [one],
      forwardTo: [old],
    }));
    const { d, bodies } = await forwarding([old], undefined, { accounts: [present] });
    await d.send(sent);
    await d.forward();
    const late = await forwarding([old], undefined, { accounts: [former], secret });
    expect(await late.d.send({ ...sent, secret })).toMatchObject({ quarantined: 1, reason: 'unknown-key' });
    late.d.putAccounts([present]);
    expect(await redriveAll(late.d, [present as Account])).toMatchObject([{ value: { stored: 1 } }]);
    await late.d.forward(late.d.startAnother());

    for (const found of [bodies(), late.bodies()]) expect(found).toEqual([forwarded]);
  });
});

describe('at least once, and in order, a delivery is posted on', () => {
  /** Of one shard of the stream, so that they come in one batch. */
  const calls = ['1', '4', '7'].map((monitorUCID) => first.with({ monitorUCID }));

  /** Two deliveries of each call go to a receiver whose first answer is bad, while a call of the function has a fault. */
  const forwarded = async (failure: Failure) => {
    let attempts = 0;
    const { d, bodies, passes } = await forwarding([old], () => (attempts++ === 0 ? 'connection' : undefined));
    for (const one of calls) await d.post(one);
    for (const one of calls) await d.post(one.withDisposition('Sale'));
    const before = d.operations().length;
    await d.fail(['dynamodb', 'sqs', 'secrets', 'receiver'], failure).during(() => d.forward());
    const made = d.operations().slice(before);
    await passes(hour / 2);
    return { d, bodies, made };
  };

  /** A failure lasts longer than the SDK tries. */
  const faults = [
    { kind: 'fail', times: 2 },
    { kind: 'lose', times: 2 },
    { kind: 'partial', times: 1 },
    { kind: 'crash-before', times: 1 },
    { kind: 'crash-after', times: 1 },
  ] as const;
  /** Each call in one of the ways, and each that queues in all of them. */
  const isTried = (operation: string, nth: number, way: number) =>
    operation === 'SendMessageBatch' || nth % faults.length === way;

  it.each(faults)('where a call of the function has the fault “$kind”, whichever call it is', async (fault) => {
    const { made } = await forwarded({ times: 0 });
    expect(made).toEqual(expect.arrayContaining(['SendMessageBatch', 'Query', 'POST', 'ChangeMessageVisibility']));
    for (const [after, operation] of made.entries()) {
      if (!isTried(operation, after, faults.indexOf(fault))) continue;
      const { d, bodies } = await forwarded({ ...fault, after });

      for (const one of calls) {
        const [sent = '', revised = ''] = [one, one.withDisposition('Sale')].map(({ fields }) => formOf(fields));
        expect(bodies(), `${operation}, call ${after}`).toContain(sent);
        expect(bodies().lastIndexOf(revised), `${operation}, call ${after}`).toBeGreaterThan(
          bodies().lastIndexOf(sent),
        );
      }
      // The stream repeats a batch later than a FIFO queue remembers what it has had.
      const most = operation === 'SendMessageBatch' ? 4 * calls.length : 2 * calls.length + 1;
      expect(bodies().length, `${operation}, call ${after}`).toBeLessThanOrEqual(most);
      expect(d.forwarding(), `${operation}, call ${after}`).toEqual({ waiting: 0, dead: 0 });
    }
  });

  it('where it was parked: those that were received after it follow once more', async () => {
    const { d, bodies, passes } = await forwarding([old]);
    await d.fail('calls').during(() => d.post(first));
    await d.post(second);
    await d.forward();
    await d.settled();
    // Within the five minutes in which a FIFO queue takes the same message once.
    await d.forward();
    await passes(hour);

    expect(bodies()).toEqual([second, first, second].map(({ fields }) => formOf(fields)));
  });
});

describe('an address that fails', () => {
  it.each(['status 500', 'timeout', 'connection', 'redirect'])(
    'with %s for an hour gets everything when it is back, in order per call, and other addresses wait for nothing',
    async (problem) => {
      let isUp = false;
      const { d, bodies, passes } = await forwarding([old, other], ({ address }) =>
        isUp || address === other ? undefined : problem,
      );
      const calls = ['1', '2', '3'].map((monitorUCID) => first.with({ monitorUCID }));
      for (const one of calls) await d.post(one);
      await d.forward();
      for (const one of calls) await d.post(one.withDisposition('Sale'));
      await d.forward();
      expect(bodies(other)).toHaveLength(6);
      await passes(hour);
      expect(bodies()).toEqual([]);
      expect(d.forwarding()).toEqual({ waiting: 6, dead: 0 });

      isUp = true;
      await passes(hour);
      for (const one of calls) {
        const ofCall = [one, one.withDisposition('Sale')].map(({ fields }) => formOf(fields));
        expect(bodies().filter((body) => ofCall.includes(body))).toEqual(ofCall);
      }
      expect(d.forwarding()).toEqual({ waiting: 0, dead: 0 });
    },
  );

  it('is named in the log by its host and the reason, without path, key or content', async () => {
    const { d, passes } = await forwarding([old], () => 'status 500');
    await d.post(first);
    await passes(hour);

    const lines = d.logs().filter(({ where }) => where === 'forwarding');
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatchObject({ detail: 'old.example: status 500' });
    expect(JSON.stringify(d.logs())).not.toMatch(/secret-path|SENTINEL|data=/);
  });

  it('for a day makes its messages dead letters, and the later ones of a call are tried then', async () => {
    const { d, passes } = await forwarding([old], () => 'timeout');
    await d.post(first);
    await d.forward();
    await passes(23 * hour);
    expect(d.forwarding()).toEqual({ waiting: 1, dead: 0 });
    await passes(2 * hour);

    expect(d.forwarding()).toEqual({ waiting: 0, dead: 1 });
  });
});

describe('what is waiting', () => {
  const ofCustomer = first.with({ CallerID: '09876500000' });
  it.each([
    ['', ofCustomer],
    [' from a call of its list', [ofCustomer, { ucid: '42', participantType: 'Agent', participantId: 'asha' }]],
  ])('is not sent once the customer was erased%s', async (_where, post) => {
    let isUp = false;
    const { d, posts, passes } = await forwarding([old], () => (isUp ? undefined : 'timeout'));
    await d.post(post);
    await d.forward();
    await eraseCustomer(d, '+919876500000');
    isUp = true;
    await passes(hour);

    expect(posts).toEqual([]);
    expect(d.forwarding()).toEqual({ waiting: 0, dead: 0 });
  });

  it.each([
    ['the only one', [old], []],
    ['one of two', [old, other], [other]],
    ['the one on that host, and is on none now', [old, other], [other, 'https://new.example/hook']],
  ])('for an address that was removed, %s, is given up, which is logged', async (_what, before, after) => {
    const { d, posts, passes, forwardTo } = await forwarding(before, ({ address }) =>
      address === old ? 'timeout' : undefined,
    );
    await d.post(first);
    await d.forward();
    forwardTo(after);
    await passes(hour);

    expect(d.forwarding()).toEqual({ waiting: 0, dead: 0 });
    expect(posts.map(({ address }) => address)).toEqual(before.slice(1));
    const detail = 'old.example: The account has this address no more';
    expect(d.logs()).toContainEqual(expect.objectContaining({ where: 'forwarding', detail }));
  });

  it.each([
    ['a slash more', [old], [`${old}/`]],
    ['another host', [old], ['https://new.example/callDetails']],
    ['another path beside another host', [old, other], ['https://old.example/hook', other]],
  ])('is sent to the corrected address once: %s', async (_what, before, after) => {
    const { d, bodies, passes, forwardTo } = await forwarding(before, ({ address }) =>
      address === old ? 'status 404' : undefined,
    );
    await d.post(first);
    await d.forward();
    forwardTo(after);
    await passes(hour);

    expect(after.map(bodies)).toEqual(after.map(() => [formOf(first.fields)]));
    expect(JSON.stringify(d.logs())).not.toContain('has this address no more');
  });

  it('is sent by a process whose accounts are older than the address', async () => {
    const { d, bodies, passes, forwardTo } = await forwarding([]);
    await d.post(first);
    await d.forward();
    forwardTo([old]);
    const fresh = d.startAnother();
    await d.post(second);
    await d.forward(fresh);
    await passes(hour);

    expect(bodies()).toEqual([formOf(second.fields)]);
  });
});

it('the pauses between attempts grow to ten minutes, and add up to a day', () => {
  const pauses = Array.from({ length: maxForwardAttempts - 1 }, (_, index) => pauseSeconds(index + 1));

  expect(pauses.slice(0, 7)).toEqual([10, 20, 40, 80, 160, 320, 600]);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(86_430);
});

describe('one message', () => {
  const index = (forwardTo?: readonly string[]) =>
    accountIndex([{ ...polledAccount, ...(forwardTo && { forwardTo }) }]);
  const receivedAt = '2026-11-20T06:00:00.000Z';
  const stored = (id: string, more: object = {}) => ({
    id,
    receivedAt,
    asSent: compressText(`{"id":"${id}"}`),
    ...more,
  });
  const row = (...deliveries: readonly object[]) => ({ account: 'demo', callId: '42', deliveries });
  const early = stored('early');
  const late = stored('late');
  const erased = stored('erased', { erasedAt: '2026-11-20T06:00:00.000Z' });
  const polled = stored('polled', { source: 'poll' });

  it('is made for each post that a change adds, and for each later one, which is sent again behind it', () => {
    const change = { sequence: '1', before: row(late), after: row(early, erased, polled, late) };
    const [added, again, ...more] = forwardMessages(index([old]), change);

    const address = expect.stringMatching(/^old\.example#.{8}$/);
    expect(added).toEqual({ key: { account: 'demo', callId: '42' }, post: expect.any(String), address, addresses: 1 });
    expect(again).toEqual({ ...added, post: expect.not.stringMatching(String(added?.post)), behind: added?.post });
    expect(more).toEqual([]);
  });

  it.each([
    ['that removes the row', index([old]), { before: row(early) }],
    ['that adds no post', index([old]), { before: row(early, late), after: row(early, late) }],
    ['of an account without addresses', index(), { after: row(early) }],
    ['of an account that is gone', accountIndex([otherAccount]), { after: row(early) }],
  ])('is not made for a change %s', (_what, accounts, change) => {
    expect(forwardMessages(accounts, { sequence: '1', before: undefined, after: undefined, ...change })).toEqual([]);
  });

  const sibling = 'https://old.example/hook';
  const list = stored('early', { postedIn: { ids: ['early', 'late', 'missing'], around: ['[', ',', ',', ']'] } });
  const whole = [old, '{"id":"early"}'] as const;
  const both = '[{"id":"early"},{"id":"late"}]';
  const postedIn = { ids: ['early', 'late'], around: ['[', ',', ']'] };
  const pair = stored('early', { postedIn });
  const erasedLate = stored('late', { postedIn, erasedAt: '2026-11-20T06:00:00.000Z' });

  it.each([
    ['is posted to its address', 1, early, [index([old])], true, whole],
    ['is posted to its own of two addresses on a host, at any attempt', 4, early, [index([old, sibling])], true, whole],
    ['is posted to an address of newer accounts', 1, early, [index([other]), index([old])], true, whole],
    ['waits for its address', 3, early, [index([sibling])], false, undefined],
    ['is posted to the corrected address then', 4, early, [index([sibling])], true, [sibling, whole[1]]],
    ['waits for its account', 3, early, [accountIndex([otherAccount])], false, undefined],
    ['is given up without its account', 4, early, [accountIndex([otherAccount])], true, undefined],
    ['is given up without an address', 4, early, [index()], true, undefined],
    ['waits for a record', 9, list, [index([old])], false, undefined],
    ['is posted without a record then', 10, [list, late], [index([old])], true, [old, both]],
    ['is not posted once a person was erased from one of its records', 1, [pair, erasedLate], [index([old])], true],
  ] as const)('%s: attempt %i', async (_what, attempt, deliveries, [current, newer = current], isDone, posted?) => {
    const posts: unknown[] = [];
    const ports = {
      accounts: { current: async () => current, refresh: async () => newer },
      read: async () => [{ kind: 'agent' }, row(...[deliveries].flat())],
      async post(address: string, body: string) {
        posts.push([address, new URLSearchParams(body).get('data')]);
        return undefined;
      },
      telemetry: recordingTelemetry(),
    };
    const [message] = forwardMessages(index([old]), {
      sequence: '1',
      before: undefined,
      after: row(...[deliveries].flat().slice(0, 1)),
    });
    if (message === undefined) throw new Error('No message');

    expect(await forwardDelivery(ports)(message, { attempt, waitedSeconds: 7 })).toBe(isDone);
    expect(posts).toEqual(posted === undefined ? [] : [posted]);
  });

  const earlier = stored('earlier', { receivedAt: '2026-11-20T05:59:59.999Z' });
  it.each([
    ['that is the first of its call', 1, [early, late], [], [7]],
    ['that is tried again', 2, [early], [], undefined],
    ['behind another of its call', 1, [earlier, early], [], undefined],
    ['behind one of another row', 1, [early], [earlier], undefined],
  ] as const)(
    '%s is measured at attempt %i only if nothing held it up',
    async (_what, attempt, deliveries, others, delays) => {
      const telemetry = recordingTelemetry();
      const current = async () => index([old]);
      const ports = {
        accounts: { current, refresh: current },
        telemetry,
        post: async () => undefined,
        read: async () => [row(...deliveries), row(...others)],
      };
      const [message] = forwardMessages(index([old]), { sequence: '1', before: undefined, after: row(early) });

      await forwardDelivery(ports)(message ?? expect.unreachable(), { attempt, waitedSeconds: 7 });
      expect(telemetry.measured['ForwardingDelaySeconds']).toEqual(delays);
    },
  );

  it.each([
    [6, {}],
    [7, { ForwardsFailed: 1 }],
  ])('that fails at attempt %i is logged, and counted from the seventh', (attempt, counts) => {
    const telemetry = recordingTelemetry();
    reportFailure(telemetry, new Error('timeout'), attempt);

    expect(telemetry.counts).toEqual(counts);
    expect(telemetry.places()).toEqual(['forwarding']);
  });
});
