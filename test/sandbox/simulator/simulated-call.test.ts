import { describe, expect, it } from 'vitest';
import { kinds } from '../../../sandbox/simulator/call-quirks.ts';
import { createFloor, withEngagements } from '../../../sandbox/simulator/floor/floor.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { parseDuration } from '../../../sandbox/simulator/summary/call-summary.ts';
import { account, callOf, firstOf, floor, noon, opened, seeds } from './support/calls.ts';

describe('simulatedCall', () => {
  it('gives the same posts for the same seed', () => {
    for (const seed of seeds) expect(callOf(seed).posts).toEqual(callOf(seed).posts);
  });

  it('gives other calls for other seeds', () => {
    const ids = seeds.flatMap((seed) => callOf(seed).calls.map(({ id }) => id));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(kinds)('shows %s when it is asked for', (kind) => {
    for (const seed of seeds) expect(callOf(seed, kind).posts.flatMap(({ kinds: shown }) => shown)).toContain(kind);
  });

  it('shows nothing else besides the kind it is asked for', () => {
    const shown = seeds.flatMap((seed) => callOf(seed, 'over-long').posts.flatMap((post) => post.kinds));

    expect(new Set(shown)).toEqual(new Set(['answered', 'over-long']));
  });

  it('meets every kind sooner or later without being asked', () => {
    const random = seededRandom(5);
    const met = Array.from({ length: 1500 }, () => simulatedCall(random, noon, floor, account)).flatMap(({ posts }) =>
      posts.flatMap((post) => post.kinds),
    );

    expect(new Set(met)).toEqual(new Set(kinds));
  });

  it('sends the first post at once and the others in their order', () => {
    for (const seed of seeds) {
      const seconds = callOf(seed).posts.map(({ afterSeconds }) => afterSeconds);

      expect(seconds[0]).toBe(0);
      expect(seconds).toEqual([...seconds].sort((one, later) => one - later));
    }
  });

  it('makes the caller give up where nobody is free', () => {
    const busy = createFloor(seededRandom(1), 20);
    const engagements = busy.agents.map((agent) => ({
      agent,
      callId: '1',
      ringsAt: 0,
      talksAt: 0,
      leavesAt: 0,
      readyAt: noon * 2,
    }));
    const { posts } = simulatedCall(
      seededRandom(1),
      noon,
      withEngagements(busy, engagements, noon),
      account,
      'answered',
    );

    expect(posts.map((post) => post.kinds)).toEqual([['abandoned']]);
    expect(firstOf(posts[0])).toMatchObject({ Status: 'NotAnswered', AgentID: '', AudioFile: '' });
  });
});

/** Table of the contract, the number of the campaign apart, whose key is spelt in two ways. */
const contract = `AgentID AgentName AgentPhoneNumber AgentStatus AgentUniqueID Apikey AudioFile CallDuration
  CallerConfAudioFile CallerID CampaignName CampaignStatus Comments ConfDuration CustomerStatus DialStatus DialedNumber
  Disposition Duration EndTime FallBackRule HangupBy Location PhoneName Skill StartTime Status TimeToAnswer TransferType
  TransferredTo Type UUI UserName monitorUCID`.split(/\s+/);

const extras = ['DataUniqueId', 'HoldDuration', 'WrapUpDuration', 'CallID', 'UCID'];
const millisecondsOf = (time: unknown) => Date.parse(`${String(time).replace(' ', 'T')}Z`);

describe('a single summary', () => {
  const summaries = seeds.map((seed) => firstOf(callOf(seed, 'answered').posts[0]));

  it('has every field of the contract and no other', () => {
    for (const summary of summaries) expect(Object.keys(summary).sort()).toEqual([...contract, 'Did'].sort());
  });

  it('takes as long as its times say, and talks for the part after the answer', () => {
    for (const summary of summaries) {
      const callSeconds = parseDuration(String(summary['CallDuration']));
      const answerSeconds = parseDuration(String(summary['TimeToAnswer']));

      expect(millisecondsOf(summary['EndTime']) - millisecondsOf(summary['StartTime'])).toBe(callSeconds * 1000);
      expect(parseDuration(String(summary['Duration']))).toBe(callSeconds - answerSeconds);
    }
  });

  it('tells times on the clock of the account, before the post', () => {
    for (const summary of summaries) expect(String(summary['EndTime'])).toMatch(/^2026-11-21 17:29:\d\d$/);
  });

  it('has an id of 14 to 17 digits as text', () => {
    const lengths = summaries.map((summary) => String(summary['monitorUCID']).length);

    for (const summary of summaries) expect(summary['monitorUCID']).toMatch(/^[1-9]\d{13,16}$/);
    expect(new Set(lengths)).toEqual(new Set([14, 15, 16, 17]));
  });

  it('has its recording at a place that does not exist', () => {
    for (const summary of summaries) expect(summary['AudioFile']).toMatch(/^https:\/\/recordings\.example\.com\//);
  });
});

describe('an array', () => {
  const arrays = seeds.flatMap((seed) => callOf(seed, 'advanced').posts).map(opened);

  it('begins with a summary that has the extras of the samples, with bare ids', () => {
    for (const [summary = {}] of arrays) {
      expect(Object.keys(summary).sort()).toEqual([...contract, ...extras, 'DID'].sort());
      expect(summary['UCID']).toEqual({ digits: summary['monitorUCID'] });
      expect(summary['AgentUniqueID']).toEqual({ digits: expect.stringMatching(/^\d+$/) });
    }
  });

  it('goes on with the participants, the caller first, tied to the call by its id', () => {
    for (const [summary = {}, ...participants] of arrays) {
      expect(participants).toHaveLength(2);
      expect(participants[0]).toMatchObject({ ParticipantNumber: summary['CallerID'], Audio: null, EndTime: null });
      expect(participants[1]).toMatchObject({ AgentName: summary['AgentName'], Audio: summary['AudioFile'] });
      for (const participant of participants) {
        expect(Object.keys(participant).sort()).toEqual(
          'AgentName Audio CallID DID DialStatus EndTime ExitStatus ParticipantNumber PickupTime StartTime UCID'.split(
            ' ',
          ),
        );
        expect(participant['UCID']).toEqual({ digits: summary['monitorUCID'] });
      }
    }
  });

  it('may hold two legs of one call', () => {
    for (const seed of seeds) {
      const [one = {}, other = {}] = callOf(seed, 'several-legs').posts.flatMap(opened);

      expect(other['monitorUCID']).toBe(one['monitorUCID']);
      expect(other['CallID']).not.toEqual(one['CallID']);
    }
  });
});
