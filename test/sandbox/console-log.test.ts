import { describe, expect, it } from 'vitest';
import { type ConsoleLog, createConsoleLog } from '../../sandbox/aws/console-log.ts';
import type { DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import { createFaultBoard, listFaults, setFault } from '../../sandbox/frame/faults.ts';

/** The lines of what happens from 09:05:07 on. `pass` lets seconds pass. */
const linesOf = (write: (log: ConsoleLog, pass: (seconds: number) => void) => void): string[] => {
  const lines: string[] = [];
  let second = 7;
  const log = createConsoleLog(
    (line) => lines.push(line),
    () => new Date(2026, 10, 21, 9, 5, second),
  );
  write(log, (seconds) => {
    second += seconds;
  });
  return lines;
};
const event = (type: string, detail: DeliveredEvent['detail'] = {}): DeliveredEvent => ({
  version: '0',
  id: 'a',
  'detail-type': type,
  source: 'callfeed',
  account: '000000000000',
  time: '2026-11-21T09:00:00Z',
  region: 'local',
  resources: [],
  detail: { customerNumber: '0123456789', ...detail },
});
describe('createConsoleLog', () => {
  it.each<[string, (log: ConsoleLog) => void]>([
    ['callback  GET 404', ({ callback }) => callback('GET', 404, 'Not Found')],
    ['callback  POST 500  the function failed; --verbose shows its log', ({ callback }) => callback('POST', 500, '{}')],
    ['sandbox   loading the functions', ({ note }) => note('loading the functions')],
    [
      'event     Revised x2, Recorded, Call Summary Recorded: found in the call report',
      ({ events, flush }) => {
        events([event('Recorded'), event('Revised')]);
        events([event('Revised'), event('Call Summary Recorded', { source: 'report' })]);
        flush();
        flush();
      },
    ],
    [
      'event     Quarantined: broken-json, Quarantined',
      ({ events, flush }) => {
        events([event('Quarantined', { reason: 'broken-json' }), event('Quarantined', { reason: 'call 0123456789' })]);
        flush();
      },
    ],
    ['report    a step failed', ({ outage }) => outage('report', 'a step failed', 'it works again')(1)],
    ['event     changes are not published; they are retried', ({ publishing }) => publishing(2)],
  ])('writes "%s"', (text, write) => {
    expect(linesOf(write)).toEqual([`09:05:07  ${text}`]);
  });

  it('explains once what a parked callback and a 503 mean', () => {
    const parked = '{"stored":0,"duplicates":0,"quarantined":0,"parked":1}';
    const unavailable = '{"stored":0,"duplicates":0,"quarantined":0,"reason":"stores-unavailable","message":"…"}';
    const lines = linesOf(({ callback }) => {
      for (let times = 0; times < 2; times += 1) {
        callback('POST', 200, parked);
        callback('POST', 503, unavailable);
        callback('POST', 503, 'Service Unavailable');
      }
    }).map((line) => line.slice('09:05:07  '.length));

    const explained = [
      'callback  POST 200  1 parked',
      expect.stringMatching(
        /^sandbox {3}parked: the table failed or was late, .* while functions warm up .* are stored within seconds/,
      ),
      'callback  POST 503  stores-unavailable',
      expect.stringMatching(/^sandbox {3}503: the post could not be stored in time, .* its sender posts it again$/),
      'callback  POST 503',
    ];
    expect(lines).toEqual([...explained, ...explained.filter((line) => typeof line === 'string')]);
  });

  it('writes of an outage its beginning and its end', () => {
    const lines = linesOf(({ outage }, pass) => {
      const recovered = outage('recovery', 'callbacks fail again', 'callbacks are stored again');
      for (let attempt = 0; attempt < 1_800; attempt += 1) {
        recovered(10);
        pass(2);
      }
      for (const failed of [0, 0]) recovered(failed);
    });

    expect(lines).toEqual([
      '09:05:07  recovery  callbacks fail again',
      '10:05:07  recovery  callbacks are stored again',
    ]);
  });

  it('writes at most every half minute of what fails now and then', () => {
    const flapping = linesOf(({ publishing }, pass) => {
      for (let attempt = 0; attempt < 3_600; attempt += 1) {
        publishing(1);
        publishing(0);
        pass(1);
      }
    });

    expect(flapping).toHaveLength(240);
    expect(flapping.slice(0, 4).map((line) => line.replace('  event    ', ''))).toEqual([
      '09:05:07 changes are not published; they are retried',
      '09:05:07 changes are published again',
      '09:05:37 changes are not published; they are retried',
      '09:05:37 changes are published again',
    ]);
  });

  it('shows of a reply the reason and the counts above 0 only', () => {
    const stored = '{"stored":2,"duplicates":0,"quarantined":1,"customer":"0123456789"}';
    const rejected = '{"stored":0,"quarantined":1,"reason":"broken-json","message":"…"}';
    const foreign = '{"reason":"call 0123456789"}';

    expect(
      linesOf(({ callback }) => {
        callback('POST', 200, stored);
        callback('POST', 400, rejected);
        callback('POST', 400, foreign);
      }),
    ).toEqual([
      '09:05:07  callback  POST 200  2 stored, 1 quarantined',
      '09:05:07  callback  POST 400  broken-json, 1 quarantined',
      '09:05:07  callback  POST 400',
    ]);
  });
});

describe('createFaultBoard', () => {
  it.each([
    ['every request at rate 1', 1, 0.999, 'error'],
    ['no request at rate 0', 0, 0, 'none'],
    ['a request below the rate', 0.3, 0.29, 'error'],
    ['no request at or above the rate', 0.3, 0.3, 'none'],
  ])('affects %s, and no other service', (_what, rate, random, mode) => {
    const board = createFaultBoard(() => random);
    board.set('queue', { mode: 'error', rate });

    expect([board.draw('queue'), board.draw('dynamodb')]).toEqual([mode, 'none']);
  });

  it('releases hanging requests once the mode changes', async () => {
    const board = createFaultBoard();
    board.set('dynamodb', { mode: 'timeout', rate: 1 });
    let released = false;
    const waiting = board.untilLifted('dynamodb').then(() => {
      released = true;
    });

    board.set('queue', { mode: 'none', rate: 1 });
    board.set('dynamodb', { mode: 'timeout', rate: 0.5 });
    await Promise.resolve();
    expect(released).toBe(false);

    board.clear();
    await waiting;
    expect(board.state().dynamodb.mode).toBe('none');
  });
});

const put = (name: string, body: string) => {
  const board = createFaultBoard();
  const reported: unknown[] = [];
  const answer = setFault(board, name, body, (text) => reported.push(text));

  return { board, reported, status: answer.status, body: JSON.parse(String(answer.body)) };
};

describe('setFault', () => {
  it.each([
    ['dynamodb', { mode: 'throttle', rate: 0.25 }, 'dynamodb: throttle, rate 0.25'],
    ['dynamodb', { mode: 'none' }, 'dynamodb: none'],
    ['provider', { mode: 'error' }, 'provider: error, rate 1'],
    ['callbacks', { mode: 'lose', rate: 0.1 }, 'callbacks: lose, rate 0.1'],
  ])('sets %s to %j, at rate 1 without one, logs it as “%s” and answers with all faults', (name, fault, text) => {
    const { board, reported, status, body } = put(name, JSON.stringify(fault));

    expect([status, body[name], reported]).toEqual([200, { rate: 1, ...fault }, [text]]);
    expect(body.queue).toEqual({ mode: 'none', rate: 1 });
    expect(JSON.parse(String(listFaults(board).body))).toEqual(body);
  });

  it('names the modes of callbacks, and the services that can fail', () => {
    expect(put('callbacks', '{"mode":"error"}').body.message).toContain(
      '"none" | "lose" | "poorer" | "both", "rate": 0 to 1}; without a rate, all are affected.',
    );
    expect(put('lambda', '{"mode":"error"}')).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('dynamodb, eventbridge, queue, provider, callbacks') },
    });
  });

  it.each([
    ['an unknown mode', '{"mode":"slow"}', 'mode'],
    ['a rate above 1', '{"mode":"error","rate":2}', 'rate'],
    ['a rate below 0', '{"mode":"error","rate":-0.1}', 'rate'],
    ['an unknown field', '{"mode":"error","rat":0.5}', 'rat'],
    ['no mode', '{}', 'mode'],
    ['no JSON', 'error', 'body'],
  ])('rejects %s, and names what is allowed', (_what, text, named) => {
    const { status, body, reported, board } = put('queue', text);

    expect(status).toBe(400);
    expect(body.message).toContain(named);
    expect(body.message).toContain('"none" | "throttle" | "error" | "timeout"');
    expect(board.state().queue.mode).toBe('none');
    expect(reported).toEqual([]);
  });
});
