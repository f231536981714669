import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../sandbox/bus/event-log.ts';
import { agentsLine, type ConsoleLog, createConsoleLog, isAboutAgent } from '../../sandbox/console-log.ts';

describe('consoleLog', () => {
  const toldBy = (tell: (to: ConsoleLog) => void): string[] => {
    const lines: string[] = [];
    tell(
      createConsoleLog(
        (line) => lines.push(line),
        () => new Date(2026, 10, 21, 9, 5, 7),
      ),
    );
    return lines;
  };
  const event = (type: string): Envelope => ({
    version: '0',
    id: 'a',
    'detail-type': type,
    source: 'callfeed',
    account: '000000000000',
    time: '2026-11-21T09:00:00Z',
    region: 'local',
    resources: [],
    detail: { customerNumber: '0123456789' },
  });

  it('tells a callback by its status and counts, and leaves out what is 0 or else in the reply', () => {
    const reply = '{"stored":2,"duplicates":0,"quarantined":1,"customer":"0123456789"}';

    expect(toldBy(({ callback }) => callback('POST', 200, reply))).toEqual([
      '09:05:07  callback  POST 200  2 stored, 1 quarantined',
    ]);
  });

  it('tells why a callback was refused, in the receiver’s words only', () => {
    const reply = '{"error":"broken-json","message":"…","stored":0,"quarantined":1}';
    const foreign = '{"error":"call 0123456789"}';

    expect(toldBy(({ callback }) => callback('POST', 400, reply))).toEqual([
      '09:05:07  callback  POST 400  broken-json, 1 quarantined',
    ]);
    expect(toldBy(({ callback }) => callback('POST', 400, foreign))).toEqual(['09:05:07  callback  POST 400']);
  });

  it('tells a callback whose reply is not its own', () => {
    expect(toldBy(({ callback }) => callback('GET', 404, 'Not Found'))).toEqual(['09:05:07  callback  GET 404']);
  });

  it('tells of a function that failed where to look', () => {
    expect(toldBy(({ callback }) => callback('POST', 500, '{}'))).toEqual([
      '09:05:07  callback  POST 500  the function failed: --verbose says why',
    ]);
  });

  it('tells events by their types, each once', () => {
    const events = ['Recorded', 'Revised', 'Recorded'].map(event);

    expect(toldBy((to) => to.events(events))).toEqual([
      '09:05:07  event     Recorded x2',
      '09:05:07  event     Revised',
    ]);
  });

  it.each<[string, (to: ConsoleLog) => void]>([
    ['parked    2 for later', ({ parked }) => parked(2)],
    ['agents    scripted: 1 step', ({ scripted }) => scripted(1)],
    ['agents    scripted: 2 steps', ({ scripted }) => scripted(2)],
    ['agents    a poll failed, tried again', ({ pollFailed }) => pollFailed()],
    ['schedule  4 ticks not sent: InternalFailure', ({ ticksLost }) => ticksLost(4, 'InternalFailure')],
    ['agents    1 logged in', ({ agents }) => agents([event('Agent Logged In')])],
    ['recovery  2 recovered', ({ recovered }) => recovered(2, 0)],
    ['recovery  2 recovered, 1 tried again', ({ recovered }) => recovered(2, 1)],
    [
      'fault     dynamodb: throttle, 50 % of requests',
      ({ fault }) => fault('dynamodb', { mode: 'throttle', rate: 0.5 }),
    ],
    ['fault     dynamodb works again', ({ fault }) => fault('dynamodb', { mode: 'none', rate: 1 })],
  ])('says "%s"', (text, tell) => {
    expect(toldBy(tell)).toEqual([`09:05:07  ${text}`]);
  });
});

describe('agents line', () => {
  const event = (type: string, previous?: string, current?: string): Envelope => ({
    version: '0',
    id: 'a',
    'detail-type': type,
    source: 'callfeed',
    account: '000000000000',
    time: '2026-11-21T09:00:00Z',
    region: 'local',
    resources: [],
    detail: {
      agentId: 'asha',
      ...(previous !== undefined && { previous: { state: previous, name: 'Asha Rao', phoneNumber: '0123456789' } }),
      ...(current !== undefined && { current: { state: current, name: 'Asha Rao', phoneNumber: '0123456789' } }),
    },
  });

  describe('agentsLine', () => {
    it('counts who came and went, and changes of state, the commonest first', () => {
      const events = [
        event('Agent Logged In', undefined, 'ready'),
        event('Agent State Changed', 'in-call', 'acw'),
        event('Agent State Changed', 'ready', 'in-call'),
        event('Agent State Changed', 'ready', 'in-call'),
        event('Agent Logged In', undefined, 'idle'),
        event('Agent Details Changed', 'ready', 'ready'),
        event('Agent Logged Out', 'ready'),
      ];

      expect(agentsLine(events)).toBe('2 logged in, 1 logged out, 1 with other details, ready→in-call x2, in-call→acw');
    });

    it('tells no state that is not a word of ours', () => {
      const events = [event('Agent State Changed', 'ready', 'call 0123456789'), event('Agent State Changed')];

      expect(agentsLine(events)).toBe('ready→other, other→other');
    });
  });

  describe('isAboutAgent', () => {
    it.each([
      ['Agent Logged In', true],
      ['Agent State Changed', true],
      ['Agent Details Changed', true],
      ['Agent Logged Out', true],
      ['Agent Feed Interrupted', false],
      ['Call Summary Recorded', false],
      ['constructor', false],
    ])('of %s is %s', (type, expected) => {
      expect(isAboutAgent(event(type))).toBe(expected);
    });
  });
});
