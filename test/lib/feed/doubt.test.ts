import { describe, expect, it } from 'vitest';
import { seenFloor } from '../../../lib/agent-login/seen-floor.ts';
import { believed } from '../../../lib/feed/doubt.ts';
import { newFeed } from '../../../lib/feed/feed.ts';
import { received } from '../support/facts-of.ts';

const at = (time: string) => new Date(`2026-11-20T06:${time}Z`);
const seen = (...records: readonly unknown[]) =>
  seenFloor([{ AgentId: '1', AgentState: 'READY' }, ...records].map(received));

const fresh = newFeed('demo', at('00:00.000'));
const doubtful = believed(fresh, seen(null), at('00:00.000')).feed;

describe('believed', () => {
  it('believes an answer as it is, and remembers nothing of one that is in order', () => {
    const answer = seen({ AgentId: '2' }, { AgentId: '3', AgentName: 'Asha' });

    expect(believed(fresh, answer, at('00:00.000'))).toEqual({ feed: fresh, seen: answer });
  });

  it.each([
    [null, {}],
    [{}, {}],
    ['text', {}],
    [{ SkillName: 'Sales' }, {}],
    [{ AgentName: 'Asha' }, { name: 'Asha' }],
    [{ PhoneNumber: '1', AgentState: 'READY' }, { phoneNumber: '1' }],
  ])('lets %j be whomever it may mean at first, and remembers since when', (record, hint) => {
    const { feed, seen: answer } = believed(fresh, seen(record), at('00:00.000'));

    expect(answer.unreadable).toEqual([hint]);
    expect(feed.poller.doubtSince).toBe('2026-11-20T06:00:00.000Z');
    expect(feed.version).toBe(fresh.version);
  });

  it.each([
    ['for five minutes', '05:00.000', [{}, { name: 'Asha' }, { agentId: '2' }]],
    ['for longer', '05:00.001', [{ agentId: '2' }]],
  ])('takes records without an id for nobody’s, once every answer has had one %s', (_title, time, unreadable) => {
    const { feed, seen: answer } = believed(doubtful, seen(null, { AgentName: 'Asha' }, { AgentId: '2' }), at(time));

    expect(answer.unreadable).toEqual(unreadable);
    expect(answer.agents).toMatchObject([{ agentId: '1' }]);
    expect(feed.poller.doubtSince).toBe('2026-11-20T06:00:00.000Z');
  });

  it('begins anew to doubt after an answer without such a record', () => {
    const { feed } = believed(doubtful, seen(), at('04:00.000'));

    expect(feed).toEqual(fresh);
    expect(believed(feed, seen(null), at('06:00.000')).seen.unreadable).toEqual([{}]);
  });

  it('does not doubt a record that names an agent and lacks a state', () => {
    const { feed } = believed(doubtful, seen({ AgentId: '2' }), at('04:00.000'));

    expect(feed).toEqual(fresh);
  });
});
