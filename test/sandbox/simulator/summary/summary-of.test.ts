import { describe, expect, it } from 'vitest';
import { secondsOf } from '../../../../sandbox/simulator/summary/local-time.ts';
import { callOf, seeds } from '../support/calls.ts';
import { firstOf, opened } from '../support/opened-post.ts';

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
      const callSeconds = secondsOf(String(summary['CallDuration']));
      const answerSeconds = secondsOf(String(summary['TimeToAnswer']));

      expect(millisecondsOf(summary['EndTime']) - millisecondsOf(summary['StartTime'])).toBe(callSeconds * 1000);
      expect(secondsOf(String(summary['Duration']))).toBe(callSeconds - answerSeconds);
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
