import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { kinds, simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { account, callOf, firstOf, floor, noon, opened, seeds } from './support/calls.ts';

describe('simulatedCall', () => {
  it('makes the same posts for the same seed', () => {
    for (const seed of seeds) expect(callOf(seed).posts).toEqual(callOf(seed).posts);
  });

  it('makes other calls for other seeds', () => {
    const ids = seeds.flatMap((seed) => callOf(seed).calls.map(({ id }) => id));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(kinds)('shows %s when requested', (kind) => {
    for (const seed of seeds) expect(callOf(seed, kind).posts.flatMap(({ kinds: shown }) => shown)).toContain(kind);
  });

  it('shows every kind sooner or later without a request', () => {
    const random = seededRandom(5);
    const met = Array.from({ length: 1500 }, () => simulatedCall(random, noon, floor, account)).flatMap(({ posts }) =>
      posts.flatMap((post) => post.kinds),
    );

    expect(new Set(met)).toEqual(new Set(kinds));
  });
});

/** The fields of the contract except the campaign's number, whose key has two spellings. */
const contract = `AgentID AgentName AgentPhoneNumber AgentStatus AgentUniqueID Apikey AudioFile CallDuration
  CallerConfAudioFile CallerID CampaignName CampaignStatus Comments ConfDuration CustomerStatus DialStatus DialedNumber
  Disposition Duration EndTime FallBackRule HangupBy Location PhoneName Skill StartTime Status TimeToAnswer TransferType
  TransferredTo Type UUI UserName monitorUCID`.split(/\s+/);

const extras = ['DataUniqueId', 'HoldDuration', 'WrapUpDuration', 'CallID', 'UCID'];

describe('a single summary', () => {
  const summaries = seeds.map((seed) => firstOf(callOf(seed, 'answered').posts[0]));

  it('has every field of the contract and no other', () => {
    for (const summary of summaries) expect(Object.keys(summary).sort()).toEqual([...contract, 'Did'].sort());
  });

  it('has local times of the account, before the post', () => {
    for (const summary of summaries) expect(String(summary['EndTime'])).toMatch(/^2026-11-21 17:29:\d\d$/);
  });
});

describe('an array', () => {
  const arrays = seeds.flatMap((seed) => callOf(seed, 'advanced').posts).map(opened);

  it('begins with a summary that has the extra fields of the samples, with bare ids', () => {
    for (const [summary = {}] of arrays) {
      expect(Object.keys(summary).sort()).toEqual([...contract, ...extras, 'DID'].sort());
      expect(summary['UCID']).toEqual({ digits: summary['monitorUCID'] });
      expect(summary['AgentUniqueID']).toEqual({ digits: expect.stringMatching(/^\d+$/) });
    }
  });

  it('continues with the participants, the caller first, with the id of the call', () => {
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
      expect(other['UCID']).not.toEqual(one['UCID']);
    }
  });
});
