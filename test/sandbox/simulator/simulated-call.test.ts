import { describe, expect, it } from 'vitest';
import { withDeclared } from '../../../sandbox/simulator/call-fields.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { parseDuration } from '../../../sandbox/simulator/sent-fields.ts';
import { type Kind, kinds, simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { account, apiKey, callOf, centre, firstOf, jsonOf, noon, type Opened, opened, seeds } from './support.ts';

describe('simulatedCall', () => {
  it.each(kinds)('shows %s when requested', (kind) => {
    for (const seed of seeds) expect(callOf(seed, kind).posts.flatMap(({ kinds: shown }) => shown)).toContain(kind);
  });

  it('shows every kind sooner or later without a request', () => {
    const random = seededRandom(5);
    const met = Array.from({ length: 1500 }, () => simulatedCall(random, noon, centre, account)).flatMap(({ posts }) =>
      posts.flatMap((post) => post.kinds),
    );

    expect(new Set(met)).toEqual(new Set(kinds));
    expect(new Set(kinds).size).toBe(49);
  });
});

/** The fields of the contract except the campaign's number, whose key has two spellings. */
const contract = `AgentID AgentName AgentPhoneNumber AgentStatus AgentUniqueID Apikey AudioFile CallDuration
  CallerConfAudioFile CallerID CampaignName CampaignStatus Comments ConfDuration CustomerStatus DialStatus DialedNumber
  Disposition Duration EndTime FallBackRule HangupBy Location PhoneName Skill StartTime Status TimeToAnswer TransferType
  TransferredTo Type UUI UserName monitorUCID`.split(/\s+/);

const ofParticipants =
  'AgentName Audio CallID DID DialStatus EndTime ExitStatus ParticipantNumber PickupTime StartTime UCID'.split(' ');
const extras = ['DataUniqueId', 'HoldDuration', 'WrapUpDuration', 'CallID', 'UCID'];

it('a single summary has every field of the contract and no other, and local times of the account, before the post', () => {
  for (const seed of seeds) {
    const summary = firstOf(callOf(seed, 'answered').posts[0]);
    expect(Object.keys(summary).sort()).toEqual([...contract, 'Did'].sort());
    expect(String(summary['EndTime'])).toMatch(/^2026-11-21 17:29:\d\d$/);
  }
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
        expect(Object.keys(participant).sort()).toEqual(ofParticipants);
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

const postsOf = (kind: Kind) => seeds.flatMap((seed) => callOf(seed, kind).posts);
const summariesOf = (kind: Kind) => seeds.map((seed) => firstOf(callOf(seed, kind).posts[0]));
const valuesOf = (kind: Kind, key: string) => new Set(summariesOf(kind).map((summary) => summary[key]));
const keysOf = (summary: Opened, spelling: RegExp) => Object.keys(summary).filter((key) => spelling.test(key));

const form = 'application/x-www-form-urlencoded';
const text = (pattern: RegExp) => expect.stringMatching(pattern);
const bare = (pattern: RegExp) => ({ digits: text(pattern) });
const url = text(/^https:/);
const longer = (length: number) => text(new RegExp(`^.{${length}}$`));

describe('a post', () => {
  it.each<readonly [Kind, object]>([
    ['answered', { contentType: form, query: '', body: text(/^data=%7B[^&=]*$/) }],
    ['json-body', { contentType: 'application/json', body: text(/^\{/) }],
    ['data-in-query', { body: '', query: text(/^data=/) }],
    ['key-beside-data', { body: text(new RegExp(`Apikey=${apiKey}`)) }],
    ['tenant-in-query', { query: 'tenant=north-12' }],
  ])('of the kind %s has its data where the kind has it', (kind, expected) => {
    for (const post of postsOf(kind)) {
      expect(post).toMatchObject(expected);
      expect(jsonOf(post).includes(apiKey)).toBe(kind !== 'key-beside-data');
    }
  });

  it('may be written on many lines or with escaped slashes, with the same content', () => {
    for (const seed of seeds) {
      const plain = callOf(seed, 'answered').posts.flatMap(opened);
      const pretty = callOf(seed, 'pretty-printed').posts;
      const escaped = callOf(seed, 'escaped-slashes').posts;

      for (const posts of [pretty, escaped]) expect(posts.flatMap(opened)).toEqual(plain);
      expect(pretty.map(jsonOf).join()).toContain('{\n  "monitorUCID": "');
      expect(escaped.map(jsonOf).join()).toContain('https:\\/\\/recordings.example.com\\/');
    }
  });

  const alone = ['screen-pop', 'call-event', 'agent-event', 'crm-template'] as const;
  it.each(alone)('of the kind %s comes alone, and is no summary', (kind) => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, kind);

      expect(calls).toEqual([]);
      expect(posts).toMatchObject([{ callId: undefined, kinds: [kind], afterSeconds: 0 }]);
      expect(posts[0]?.body).not.toMatch(/StartTime|monitorUCID/);
    }
  });

  it('may come again, identical byte for byte, one to three times', () => {
    const counts = seeds.map((seed) => {
      const [first, ...copies] = callOf(seed, 'redelivery').posts;
      for (const copy of copies) expect(copy.body).toBe(first?.body);
      return copies.length;
    });

    expect(new Set(counts)).toEqual(new Set([1, 2, 3]));
  });
});

describe('a call', () => {
  it.each<readonly [Kind, Readonly<Record<string, unknown>>]>([
    ['not-answered', { Status: 'NotAnswered', Duration: '00:00:00', TimeToAnswer: '', AudioFile: '' }],
    ['abandoned', { Status: 'NotAnswered', AgentID: '', AgentName: '', AgentUniqueID: '', AudioFile: '' }],
    ['voice-mail', { Status: 'NotAnswered', AgentID: '', AudioFile: url }],
    ['ivr', { Status: 'Answered', Type: 'IVR', AgentID: '', AudioFile: '' }],
    ['chat', { Status: 'Answered', AudioFile: '' }],
    ['phone-transfer', { TransferType: 'Phone Number', TransferredTo: text(/^441614960/) }],
    ['conference', { CallerConfAudioFile: url }],
    ['outbound', { Status: 'Answered', AgentID: text(/./) }],
    ['several-recordings', { AudioFile: text(/^https:\S+-1\.mp3,https:\S+-2\.mp3,https:\S+-3\.mp3$/) }],
    ['repeated-recording', { AudioFile: text(/^(https:[^,]+),\1$/) }],
    ['http-recording', { AudioFile: text(/^http:\/\/recordings\.example\.com\//) }],
    ['conference-recordings', { CallerConfAudioFile: text(/^https:\S+-1\.mp3 -> https:\S+-2\.mp3$/) }],
    ['over-long', { AudioFile: longer(783), CallerConfAudioFile: longer(571), AgentUniqueID: text(/^\d{25}$/) }],
    ['time-with-colons', { StartTime: text(/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$/) }],
    ['unknown-keys', { SkillID: expect.anything(), UCID: expect.anything(), TalkTime: expect.anything() }],
    ['number-id', { monitorUCID: bare(/^\d{17}$/) }],
    ['long-id', { monitorUCID: text(/^\d{20}$/) }],
    ['long-number-id', { monitorUCID: bare(/^\d{20}$/) }],
    ['numbers-as-text', { UCID: text(/^\d+$/), CallID: text(/^\d+$/) }],
    ['text-as-numbers', { CallerID: bare(/^[1-9]\d*$/), Did: bare(/^[1-9]\d*$/), AgentUniqueID: bare(/^[1-9]\d*$/) }],
  ])('of the kind %s has the fields of its kind', (kind, expected) => {
    for (const summary of summariesOf(kind)) expect(summary).toMatchObject(expected);
  });

  const failures = ['NoAnswer', 'Authentication error', 'NormalUnspecified'];
  const unknownWords = ['DND', 'MaxDialTimeExceeded', ...failures, 'QTimeExceeded{60}'];
  it.each<readonly [Kind, string, readonly string[]]>([
    ['value-spelling', 'Type', ['inbound', 'InBound']],
    ['value-spelling', 'Status', ['answered']],
    ['value-spelling', 'HangupBy', ['User Hangup', 'Agent Hangup']],
    ['unknown-values', 'DialStatus', unknownWords],
  ])('of the kind %s has every word for %s: %j', (kind, key, words) => {
    expect(valuesOf(kind, key)).toEqual(new Set(words));
  });

  it.each([
    [/^did$/i, ['dId', 'Did', 'DID', 'DId', 'did']],
    [/^(monitorucid|ucid)$/i, ['monitorUCID', 'ucid']],
    [/^apikey$/i, ['Apikey', 'ApiKey', 'apikey']],
  ])('has one of the spellings of the key %s: %j', (spelling, spellings) => {
    const found = summariesOf('key-spelling').map((summary) => keysOf(summary, spelling));

    for (const keys of found) expect(keys).toHaveLength(1);
    expect(new Set(found.flat())).toEqual(new Set(spellings));
  });

  it('has all spellings of a blank, including the omitted key', () => {
    for (const [index, summary] of summariesOf('blanks').entries()) {
      for (const blank of ['', 'None', 'null', '-', null]) expect(Object.values(summary)).toContain(blank);
      expect(Object.keys(summary).length).toBeLessThan(Object.keys(summariesOf('answered')[index] ?? {}).length);
    }
  });

  it('has every format of a duration, and a conference longer than the call', () => {
    for (const summary of summariesOf('duration-formats')) {
      const values = ['CallDuration', 'Duration', 'TimeToAnswer', 'ConfDuration'].map((key) => summary[key]);
      for (const format of ['', text(/^\d\d:\d\d$/), text(/^\d+$/), bare(/^\d+$/)])
        expect(values).toContainEqual(format);
    }
    for (const { ConfDuration, CallDuration } of summariesOf('long-conference'))
      expect(parseDuration(String(ConfDuration))).toBeGreaterThan(parseDuration(String(CallDuration)));
  });

  it('ends at the instant of its times with a zone, or at its start, or before it', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'time-with-zone');
      expect(Date.parse(String(firstOf(posts[0])['EndTime']))).toBe(calls[0]?.endedAt);
    }
    for (const { StartTime, EndTime } of summariesOf('end-equals-start')) expect(EndTime).toBe(StartTime);
    for (const { StartTime, EndTime } of summariesOf('end-before-start'))
      expect(String(EndTime) < String(StartTime)).toBe(true);
  });

  it.each([
    ['late-disposition', ''],
    ['wrap-up-exceeded', 'Wrap up time exceeded :120'],
  ] as const)('of the kind %s gets the disposition of its agent 20 to 40 s later', (kind, before) => {
    for (const seed of seeds) {
      const { posts } = callOf(seed, kind);
      const [first, later] = posts.map(firstOf);

      expect(posts).toHaveLength(2);
      expect(posts[1]?.afterSeconds).toBeGreaterThanOrEqual(20);
      expect(posts[1]?.afterSeconds).toBeLessThanOrEqual(40);
      expect(first?.['Disposition']).toBe(before);
      expect(later).toMatchObject({ Disposition: text(/^[A-Z][a-z]/), monitorUCID: first?.['monitorUCID'] });
      expect(later?.['Disposition']).not.toBe(before);
    }
  });

  it('that is transferred to a skill is followed by a second call, which names it in its user text', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'skill-transfer');
      const [first, second] = posts.map(firstOf);

      expect(posts).toHaveLength(2);
      expect(first).toMatchObject({ TransferType: 'Skill', TransferredTo: second?.['Skill'], UUI: '' });
      expect(second?.['UUI']).toBe(`SkillTransfer-${first?.['monitorUCID']}~${first?.['AgentID']}`);
      expect(second).toMatchObject({ StartTime: first?.['EndTime'], CallerID: first?.['CallerID'] });
      expect(calls[1]?.startedAt).toBe(calls[0]?.endedAt);
    }
  });
});

it('writes a declared field that it does not simulate as its kind is written, and others in their own way', () => {
  const { calls } = callOf(1, 'answered');
  const [call] = calls;
  if (call === undefined) throw new Error('There is no call');
  const table = withDeclared({ DID: () => '1' }, [
    { kind: 'text', spelling: 'did' },
    { kind: 'duration', spelling: 'PauseDuration' },
    { kind: 'text', spelling: 'Mood' },
  ]);
  const subject = { ...call, account, agent: undefined };
  const written = Object.entries(table).map(([key, value]) => [key, value(subject)]);

  expect(written).toEqual([
    ['DID', '1'],
    ['PauseDuration', expect.stringMatching(/^\d\d:\d\d:\d\d$/)],
    ['Mood', 'text'],
  ]);
});
