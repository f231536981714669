import { describe, expect, it } from 'vitest';
import { callbackSecret, secrets } from '../../../torture/hostile/accounts.ts';
import { verdictOn } from '../../../torture/hostile/checks/breaches.ts';
import { polluted } from '../../../torture/hostile/checks/prototypes.ts';
import { strangersGot } from '../../../torture/hostile/checks/strangers.ts';
import { createReceiver, type Trial } from '../../../torture/hostile/receiver.ts';
import type { HostileRequest } from '../../../torture/hostile/requests/hostile-request.ts';
import { eventOf } from '../../../torture/hostile/requests/posted.ts';

const [key = ''] = secrets;

/** A call with a number that a JavaScript number does not hold. */
const body = `{"monitorUCID":12345678901234567890,"Status":"Answered","Comments":"as it was said","Apikey":"${key}"}`;
const request: HostileRequest = {
  deployment: 'open',
  posted: { headers: { 'content-type': 'application/json' }, query: '', body: Buffer.from(body) },
  marks: [],
};

const sound = await createReceiver('open').receive(eventOf(request.posted));
const [call = {}] = sound.calls;
const answered = (statusCode: number, told: object) => ({
  answers: [
    {
      answer: {
        statusCode,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        body: JSON.stringify(told),
      },
    },
  ],
});
const rows = (more: object) => ({ calls: [{ ...call, ...more }] });

const faulty: readonly [title: string, fault: Partial<Trial>, breach: RegExp][] = [
  ['throws', { answers: [{ thrown: new TypeError('odd') }] }, /It threw TypeError: odd/],
  ['answers 500', answered(500, { message: 'Internal Server Error' }), /500 with/],
  [
    'answers 503 while all is well',
    answered(503, { error: 'stores-unavailable', message: 'x', stored: 0, duplicates: 0, quarantined: 0 }),
    /503/,
  ],
  ['answers without a reason', answered(400, { stored: 0 }), /400 with/],
  ['repeats what was sent', answered(200, { stored: 1, duplicates: 0, quarantined: 0, sent: body }), /200 with/],
  ['answers nothing', { answers: [{ answer: undefined }] }, /none that API Gateway takes/],
  ['says that it stored what it did not', { calls: [] }, /1 stored by the reply, 0 in the rows/],
  ['stores more than it says', { calls: [call, call] }, /1 stored by the reply, 2 in the rows/],
  ['parks where no table is down', { parked: 1 }, /1 parked/],
  ['rounds digits', rows({ callId: '12345678901234567000', pk: 'demo#1' }), /Lost: "12345678901234567890"/],
  ['loses a value', rows({ comments: undefined, deliveries: call['deliveries'] }), /Lost: "as it was said"/],
  ['keeps a key', rows({ extra: { x: `a ${key}` } }), /The secret demo-key is in a row/],
  ['keeps a key in escapes', rows({ extra: { x: '\\u0064emo\\u002dkey' } }), /The secret demo-key is in a row/],
  ['keeps a key in percents', rows({ extra: { x: '%64emo%2Dkey' } }), /The secret demo-key is in a row/],
  ['logs a key', { lines: [`{"message":"${key}"}`] }, /in a log or reply/],
  ['logs an error', { lines: ['{"level":"error","message":"Something outside failed"}'] }, /An error was logged/],
  ['keeps a lone surrogate', rows({ x: 'a\ud800' }), /a lone surrogate/],
  ['keeps an empty name', rows({ extra: { '': 'x' } }), /a name that is none/],
  ['has a key that is too long', rows({ sk: 'x'.repeat(1_025) }), /a key that is none/],
  [
    'gives a stranger more room than is theirs',
    { quarantine: [{ id: 'strangers#1', body: 'x'.repeat(16_385), bytes: 20_000 }] },
    /More than 16 KB of a stranger’s post is kept/,
  ],
  ['has a row that is too large', rows({ x: 'x'.repeat(420_000) }), /larger than 400 KB/],
];

describe('a hostile request', () => {
  it('breaks nothing where the receiver is sound', () => {
    expect(verdictOn(request, sound)).toMatchObject({ replies: [{ status: 200, stored: 1 }], breaches: [] });
  });

  it.each(faulty)('tells of a receiver that %s', (_title, fault, breach) => {
    expect(verdictOn(request, { ...sound, ...fault }).breaches.join('\n')).toMatch(breach);
  });

  it('tells of a receiver that pollutes what all objects share, and cleans up after it', () => {
    expect(polluted()).toEqual([]);
    const { join } = Array.prototype;
    Reflect.set(Object.prototype, 'isAdmin', true);
    Reflect.set(Array.prototype, 'join', () => 'odd');
    const found = polluted();

    expect(Array.prototype.join).toBe(join);
    expect(verdictOn(request, { ...sound, polluted: found }).breaches).toEqual([
      'Object has got “isAdmin”',
      'Array has got “join”',
    ]);
    expect(polluted()).toEqual([]);
  });

  const stranger = { ...request, posted: { ...request.posted, body: Buffer.from(body.replace(key, 'nobody’s')) } };
  const inQuarantine = (row: object) => ({ ...sound, calls: [], quarantine: [{ id: 'x', body: 'x', ...row }] });
  it.each<[title: string, request: HostileRequest, trial: Trial, got: readonly string[]]>([
    ['believes who has a key', request, sound, []],
    [
      'believes who has the address',
      { ...stranger, deployment: 'secret', posted: { ...stranger.posted, secret: callbackSecret } },
      sound,
      [],
    ],
    ['believes a stranger', stranger, sound, ['A stranger’s call is stored']],
    ['keeps what a stranger sends', stranger, inQuarantine({}), []],
    [
      'keeps it as an account’s',
      stranger,
      inQuarantine({ account: 'demo' }),
      ['A stranger’s post is kept as an account’s'],
    ],
    [
      'keeps what came to a wrong address',
      { ...request, deployment: 'secret' },
      inQuarantine({}),
      ['A post to a wrong address is kept'],
    ],
  ])('of a receiver that %s: tells what strangers got', (_title, asked, trial, got) => {
    expect(strangersGot(asked, trial)).toEqual(got);
  });
});
