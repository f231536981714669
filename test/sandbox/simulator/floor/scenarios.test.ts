import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../../sandbox/simulator/kinds.ts';
import { callOf, seeds } from '../support/calls.ts';
import { firstOf } from '../support/opened-post.ts';

const summariesOf = (kind: Kind) => seeds.map((seed) => firstOf(callOf(seed, kind).posts[0]));
const valuesOf = (kind: Kind, key: string) => new Set(summariesOf(kind).map((summary) => summary[key]));

describe('a call', () => {
  it.each<readonly [Kind, Readonly<Record<string, unknown>>]>([
    ['not-answered', { Status: 'NotAnswered', Duration: '00:00:00', TimeToAnswer: '', AudioFile: '' }],
    ['abandoned', { Status: 'NotAnswered', AgentID: '', AgentName: '', AgentUniqueID: '', AudioFile: '' }],
    ['voice-mail', { Status: 'NotAnswered', AgentID: '', AudioFile: expect.stringContaining('https:') }],
    ['ivr', { Status: 'Answered', Type: 'IVR', AgentID: '', AudioFile: '' }],
    ['chat', { Status: 'Answered', AudioFile: '' }],
    ['phone-transfer', { TransferType: 'Phone Number', TransferredTo: expect.stringMatching(/^447700900/) }],
    ['conference', { CallerConfAudioFile: expect.stringContaining('https:') }],
    ['outbound', { Status: 'Answered', AgentID: expect.stringMatching(/./) }],
  ])('of the kind %s says so', (kind, expected) => {
    for (const summary of summariesOf(kind)) expect(summary).toMatchObject(expected);
  });

  it('comes in every type', () => {
    expect(valuesOf('outbound', 'Type')).toEqual(new Set(['Manual', 'Progressive', 'Preview', 'Predictive']));
    expect(valuesOf('chat', 'Type')).toEqual(new Set(['Chat', 'Mail']));
  });

  it('fails in many of the ways the contract lists', () => {
    expect(valuesOf('not-answered', 'CustomerStatus').size).toBeGreaterThan(8);
  });
});

describe('an agent transfer', () => {
  const calls = seeds.map((seed) => {
    const { calls: placed, posts } = callOf(seed, 'agent-transfer');
    return { agents: placed[0]?.engagements.map(({ agent }) => agent) ?? [], summary: firstOf(posts[0]) };
  });
  const linksOf = (value: unknown) => String(value).split(' -> ');

  it('is one record whose ids are in the order of the alphabet and whose unique ids are in that of size', () => {
    for (const { agents, summary } of calls) {
      expect(linksOf(summary['AgentID'])).toEqual(agents.map(({ id }) => id).sort());
      expect(linksOf(summary['AgentUniqueID']).map(Number)).toEqual(
        agents.map(({ uniqueId }) => Number(uniqueId)).sort((one, other) => one - other),
      );
    }
  });

  it('names fewer agents than it has when there are three', () => {
    const lengths = calls.map(({ agents, summary }) => `${linksOf(summary['AgentName']).length} of ${agents.length}`);

    expect(new Set(lengths)).toEqual(new Set(['2 of 2', '2 of 3']));
  });

  it('has lists that do not line up', () => {
    const crossed = calls.filter(({ agents, summary }) => {
      const byId = linksOf(summary['AgentID']).map((id) => agents.find((agent) => agent.id === id)?.uniqueId);
      return byId.join() !== linksOf(summary['AgentUniqueID']).join();
    });

    expect(crossed.length).toBeGreaterThan(10);
  });

  it('begins its targets with nothing, and chains every word', () => {
    for (const { agents, summary } of calls) {
      expect(summary['TransferredTo']).toMatch(/^ -> /);
      expect(summary['TransferType']).toMatch(/^No Transfers -> Agent/);
      for (const key of ['AgentStatus', 'CustomerStatus', 'DialStatus', 'Disposition', 'TransferType'])
        expect(linksOf(summary[key])).toHaveLength(agents.length);
    }
  });
});

describe('a skill transfer', () => {
  it('is a second call that names the first one in its user text and begins when the first one ends', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'skill-transfer');
      const [first, second] = posts.map(firstOf);

      expect(posts).toHaveLength(2);
      expect(posts[1]?.afterSeconds).toBeGreaterThan(0);
      expect(first).toMatchObject({ TransferType: 'Skill', TransferredTo: second?.['Skill'], UUI: '' });
      expect(second?.['UUI']).toBe(`SkillTransfer-${first?.['monitorUCID']}~${first?.['AgentID']}`);
      expect(second).toMatchObject({ StartTime: first?.['EndTime'], CallerID: first?.['CallerID'] });
      expect(calls[1]?.startedAt).toBe(calls[0]?.endedAt);
    }
  });

  it('is taken by others than those who still wrap the first one up', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const [first, second] = callOf(seed, 'skill-transfer').calls;
      const agentsOf = (call: typeof first) => call?.engagements.map(({ agent }) => agent.id) ?? [];

      expect(agentsOf(second)).not.toEqual(expect.arrayContaining(agentsOf(first)));
    }
  });
});
