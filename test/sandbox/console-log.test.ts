import { describe, expect, it } from 'vitest';
import { type ConsoleLog, createConsoleLog } from '../../sandbox/console-log.ts';
import type { Envelope } from '../../sandbox/event-bus.ts';

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
const event = (type: string, detail: Envelope['detail'] = {}): Envelope => ({
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
const agentEvent = (type: string, previous?: string, current?: string): Envelope =>
  event(type, {
    ...(previous !== undefined && { previous: { state: previous, name: 'Asha Rao' } }),
    ...(current !== undefined && { current: { state: current, name: 'Asha Rao' } }),
  });

describe('createConsoleLog', () => {
  it.each<[string, (log: ConsoleLog) => void]>([
    ['callback  GET 404', ({ callback }) => callback('GET', 404, 'Not Found')],
    ['callback  POST 500  the function failed; --verbose shows its log', ({ callback }) => callback('POST', 500, '{}')],
    ['sandbox   loading the functions', ({ note }) => note('loading the functions')],
    ['event     Recorded x2', ({ events }) => events([event('Recorded'), event('Recorded')])],
    [
      'found     2 calls by the call report',
      ({ events }) => {
        const found = event('Call Summary Recorded', { source: 'report' });
        events([found, found]);
      },
    ],
    ['report    a step failed', ({ outage }) => outage('report', 'a step failed', 'it works again')(1)],
    ['event     2 changes not published; they are retried', ({ publishRetry }) => publishRetry(2)],
    [
      'recovery  1 parked; each is retried every 2 seconds (in AWS every 6 minutes)',
      ({ recovered }) => recovered(1, 1),
    ],
    [
      'recovery  1 in the dead-letter queue; npx callfeed dead-letters list parked lists them',
      ({ deadLetter }) => deadLetter(1),
    ],
  ])('writes "%s"', (text, write) => {
    expect(linesOf(write)).toEqual([`09:05:07  ${text}`]);
  });

  it('writes of an outage its beginning, and how it ends with the count of failed attempts', () => {
    const outage = linesOf(({ recovered }, pass) => {
      for (let attempt = 0; attempt < 1_800; attempt += 1) {
        recovered(10, 3_000 + attempt);
        pass(2);
      }
      for (const waiting of [4_800, 2_400, 0, 0]) recovered(0, waiting);
    });

    expect(outage).toEqual([
      '09:05:07  recovery  3000 parked; each is retried every 2 seconds (in AWS every 6 minutes)',
      '10:05:07  recovery  the parking queue is empty, after 1800 failed attempts',
    ]);
  });

  it('writes at most every half minute of what fails now and then', () => {
    const flapping = linesOf(({ events, publishRetry }, pass) => {
      for (let attempt = 0; attempt < 3_600; attempt += 1) {
        publishRetry(1);
        events([]);
        pass(1);
      }
    });

    expect(flapping).toHaveLength(240);
    expect(flapping.slice(0, 4).map((line) => line.replace('  event    ', ''))).toEqual([
      '09:05:07 1 changes not published; they are retried',
      '09:05:07 changes are published again',
      '09:05:37 1 changes not published; they are retried',
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

  it('summarises the events of agents of one poll, and shows unknown states as "other"', () => {
    const events = [
      agentEvent('Agent Logged In', undefined, 'ready'),
      agentEvent('Agent State Changed', 'in-call', 'call 0123456789'),
      agentEvent('Agent State Changed', 'ready', 'in-call'),
      agentEvent('Agent State Changed', 'ready', 'in-call'),
      agentEvent('Agent Logged In', undefined, 'idle'),
      agentEvent('Agent Details Changed', 'ready', 'ready'),
      agentEvent('Agent Logged Out', 'ready'),
    ];

    const half = events.length / 2;
    const written = linesOf((log) => {
      log.events(events.slice(0, half));
      log.events(events.slice(half));
      log.flush();
      log.flush();
    });
    expect(written).toEqual([
      '09:05:07  agents    2 logged in, 1 logged out, 1 with other details, ready→in-call x2, in-call→other',
    ]);
  });
});
