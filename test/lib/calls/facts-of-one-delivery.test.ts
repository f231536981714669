import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { it } from 'vitest';
import { readReported } from '../../../functions/reconcile-calls/store-report.ts';
import { readCall, readParticipant } from '../../../lib/callback/normalise-records.ts';
import { type Delivery, deliveryOf, type RecordFacts } from '../../../lib/calls/merge-deliveries.ts';
import { plausible } from '../../../lib/calls/plausible-facts.ts';
import { compressText } from '../../../lib/core/encoding.ts';
import type { PostedFields } from '../../../lib/telephony/posted-fields.ts';
import { fieldsText } from '../../faults/history-rows.ts';
import { log, must, mustHappen, tryCases } from '../../faults/property.ts';
import { weighted } from '../../support/arbitraries.ts';
import { callKey, participantKey, recordFrom } from '../../support/posted-records.ts';

/*
 * Facts that belong together. Nobody who has the talk time of one delivery beside the agent of another has a call that took place. No
 * value yields to a blank, so a delivery may lack a fact that another has. But where two deliveries have two facts both, the call
 * has both of one of them.
 */

/** The facts that depend on the answer. The list is written here again, so that a declaration that forgets it is noticed. */
const ofAnswer = [
  ...['status', 'startedAt', 'endedAt', 'callDurationSeconds', 'durationSeconds', 'timeToAnswerSeconds'],
  ...['conferenceSeconds', 'holdSeconds', 'wrapUpSeconds', 'handleSeconds', 'hangupBy'],
  ...['customerStatuses', 'dialStatuses', 'agentStatuses', 'transferTypes', 'transferredTo'],
  ...['agentIds', 'agentNames', 'agentUniqueIds', 'agentPhoneNumber', 'phoneName'],
];
const others = [
  ...['type', 'customerNumber', 'dialledNumber', 'did', 'campaignName', 'campaignStatus', 'skillName', 'location'],
  ...['fallbackSteps', 'uui', 'sourceCallId', 'dataUniqueId', 'comments'],
];
const agentLists = ['agentIds', 'agentNames', 'agentUniqueIds'];

type Sent = Readonly<Record<string, string>>;

/** What one delivery says, and no other does: the digit makes each of its values its own. Durations may all be zero. */
const valuesOf = (digit: number, isZero: boolean): Sent => {
  const seconds = (text: string) => (isZero ? '00:00:00' : text);
  return {
    StartTime: `2026-11-20 09:0${digit}:00`,
    EndTime: `2026-11-20 09:1${digit}:00`,
    CallDuration: seconds(`00:10:0${digit}`),
    Duration: seconds(`00:0${digit}:10`),
    TimeToAnswer: seconds(`00:00:1${digit}`),
    ConfDuration: seconds(`00:00:2${digit}`),
    HoldDuration: seconds(`00:00:3${digit}`),
    WrapUpDuration: seconds(`00:00:4${digit}`),
    TotalHandlingTime: seconds(`00:05:0${digit}`),
    HangupBy: digit === 1 ? 'AgentHangup' : `party ${digit}`,
    CustomerStatus: digit === 1 ? 'answered' : `customer ${digit}`,
    DialStatus: `dial ${digit}`,
    AgentStatus: digit === 1 ? 'answered' : `state ${digit}`,
    TransferType: `kind ${digit}`,
    TransferredTo: `desk ${digit}`,
    AgentID: `agent-${digit}`,
    AgentName: `Name ${digit}`,
    AgentUniqueID: `100${digit}`,
    AgentPhoneNumber: `0900000000${digit}`.repeat(digit === 2 ? 2 : 1),
    PhoneName: `phone ${digit}`,
    Type: digit === 1 ? 'Inbound' : `fax ${digit}`,
    CallerID: `0900000004${digit}`,
    DialedNumber: `0900000005${digit}`,
    dId: `91800000000${digit}`,
    CampaignName: `Campaign ${digit}`,
    CampaignStatus: `state ${digit}`,
    Skill: `Skill ${digit}`,
    Location: `Place ${digit}`,
    FallBackRule: `step ${digit}`,
    UUI: `order ${digit}`,
    DataUniqueId: `d-${digit}`,
    Comments: `comment ${digit}`,
  };
};

const names = Object.keys(valuesOf(1, false));

interface Told {
  readonly source: 'callback' | 'report';
  readonly timeZone: string;
  readonly sent: Sent;
}

/** The names of the report's columns, where callbacks have others. */
const reportNames: Sent = {
  CallDuration: 'Duration',
  Duration: 'TalkTime',
  ConfDuration: 'ConferenceDuration',
  WrapUpDuration: 'WrapupDuration',
  CustomerStatus: 'CustomerDialStatus',
  AgentStatus: 'AgentDialStatus',
  AudioFile: 'CallAudio',
};

/** Most say everything, some lack a few fields, and a few say little. */
const blanks = weighted<readonly string[]>(
  [3, fc.constant([])],
  [2, fc.subarray(names, { maxLength: 5 })],
  [1, fc.subarray(names, { minLength: names.length - 6 })],
);

const told = (digit: number): fc.Arbitrary<Told> =>
  fc
    .record({
      source: weighted<Told['source']>([2, fc.constant('callback')], [1, fc.constant('report')]),
      timeZone: weighted([3, fc.constant('Asia/Kolkata')], [1, fc.constant('Europe/London')]),
      status: fc.constantFrom('Answered', 'NotAnswered', 'Fail', ''),
      disposition: fc.constantFrom('', 'Sale', 'Wrap up time exceeded :120'),
      hasRecording: fc.boolean(),
      leg: weighted([2, fc.constant('')], [1, fc.constantFrom('leg 1', 'leg 2')]),
      isZero: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
      blank: blanks,
    })
    .map(({ source, timeZone, status, disposition, hasRecording, leg, isZero, blank }) => {
      const all: Sent = {
        Status: status,
        ...valuesOf(digit, isZero),
        Disposition: disposition,
        AudioFile: hasRecording ? `https://recordings.example/${digit}.mp3` : '',
        UCID: leg,
      };
      const said = Object.entries(all).filter(([name, value]) => value !== '' && !blank.includes(name));
      return { source, timeZone, sent: Object.fromEntries(said) };
    });

/** Pairs and triples. They are received in this order. */
const tales = weighted<readonly Told[]>([2, fc.tuple(told(1), told(2))], [1, fc.tuple(told(1), told(2), told(3))]);

const receivedAt = (index: number) => `2026-11-20T06:00:0${index}.000Z`;

const deliveryFrom = ({ source, timeZone, sent }: Told, index: number): Delivery => {
  const isReport = source === 'report';
  const named = Object.entries(sent).map(([name, value]) => [isReport ? (reportNames[name] ?? name) : name, value]);
  const fields = [[isReport ? 'CallID' : 'monitorUCID', '41781234567890123'], ...named] as unknown as PostedFields;
  const { facts } = isReport ? readReported(fields, { timeZone }, '2026-11-20') : readCall(fields, { timeZone });
  const asSent = compressText(JSON.stringify(Object.fromEntries(fields)));
  return deliveryOf(facts, { receivedAt: receivedAt(index), asSent, ...(isReport && { source: 'report' }) });
};

/** A fact with all that belongs to it: the word as it was sent, and what is odd about it. */
const withCompanions = (facts: RecordFacts, fact: string) => ({
  value: facts[fact],
  asSent: facts[`${fact}AsSent`],
  notes: Array.isArray(facts['notes']) ? facts['notes'].filter(({ field }) => field === fact) : [],
});

/** Each fact of the group is of one delivery, with its companions, and no two facts are of two deliveries that have both. */
const mustBelongTogether = (part: RecordFacts, said: readonly RecordFacts[], group: readonly string[]): void => {
  const present = group.filter((fact) => part[fact] !== undefined);
  const origins = new Map(
    present.map((fact) => {
      const found = withCompanions(part, fact);
      return [fact, said.filter((facts) => isDeepStrictEqual(withCompanions(facts, fact), found))] as const;
    }),
  );
  for (const [fact, from] of origins)
    must(from.length > 0, () => `No delivery has ${fact} as ${JSON.stringify(withCompanions(part, fact))}`);
  for (const [one, ofOne] of origins)
    for (const [other, ofOther] of origins)
      must(
        ofOne.some((a) => ofOther.some((b) => a === b || a[other] === undefined || b[one] === undefined)),
        () => `${one} ${part[one]} and ${other} ${part[other]} are of two deliveries, each of which has both`,
      );
};

/** The first of them that a part has decides its zone. */
const times = ['startedAt', 'pickedUpAt', 'endedAt'];

/** The zone of a part is that in which its start was read, or else when it was picked up, or its end. */
const mustHaveZoneOfItsTimes = (part: RecordFacts, said: readonly RecordFacts[]): void => {
  const time = times.find((fact) => part[fact] !== undefined);
  must(
    time === undefined || said.some((facts) => facts[time] === part[time] && facts['timeZone'] === part['timeZone']),
    () => `No delivery has ${time} ${time && part[time]} in ${part['timeZone']}`,
  );
};

const listIn = (facts: RecordFacts, name: string): readonly unknown[] => {
  const { [name]: list } = facts;
  return Array.isArray(list) ? list : [];
};

const mustBeOfOneCall = (deliveries: readonly Delivery[]): number => {
  const record = recordFrom(deliveries, callKey);
  const said = record.deliveries.map((delivery) => plausible(delivery).facts);
  const legs = listIn(record.facts, 'legs').map((leg): RecordFacts => Object(leg));
  // The agents of all legs add up, and then are of several deliveries.
  const group = legs.length === 0 ? ofAnswer : ofAnswer.filter((fact) => !agentLists.includes(fact));
  const parts = [{ part: record.facts, of: said, group }].concat(
    legs.map((leg) => ({ part: leg, of: said.filter(({ ucid }) => ucid === leg['ucid']), group: ofAnswer })),
  );
  for (const { part, of, group } of parts) {
    mustBelongTogether(part, of, group);
    mustBelongTogether(part, of, others);
    mustHaveZoneOfItsTimes(part, of);
  }
  for (const leg of legs)
    for (const list of agentLists)
      for (const agent of listIn(leg, list))
        must(listIn(record.facts, list).includes(agent), () => `${list} of the call lacks ${agent} of ${leg['ucid']}`);
  for (const list of ['recordings', 'conferenceRecordings'])
    for (const link of said.flatMap((facts) => listIn(facts, list)))
      must(listIn(record.facts, list).includes(link), () => `The call lacks the recording ${link}`);
  return legs.length;
};

const ordersOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

it('a call has the facts of its answer from one delivery, and each fact with what belongs to it, in every order', async () => {
  const counters = await tryCases(tales, 600, async (tale) => {
    for (const [index, { source, timeZone, sent }] of tale.entries())
      log(() => ({ at: receivedAt(index), what: fieldsText(sent), by: `${source}, ${timeZone}` }));
    const deliveries = tale.map(deliveryFrom);
    const legs = ordersOf(deliveries).map(mustBeOfOneCall);
    return { calls: 1, 'calls with legs': Math.min(1, ...legs), reported: tale.filter(isReported).length };
  });
  mustHappen(counters, 'calls with legs', 'reported');
});

const isReported = ({ source }: Told): boolean => source === 'report';

/** What one delivery says of a participant, and no other does. */
const participantValues = (digit: number): Sent => ({
  StartTime: `2026-11-20 09:0${digit}:00`,
  PickupTime: `2026-11-20 09:0${digit}:30`,
  EndTime: `2026-11-20 09:1${digit}:00`,
  ParticipantNumber: `0900000004${digit}`,
  AgentName: `Name ${digit}`,
  DialStatus: digit === 1 ? 'answered' : `dial ${digit}`,
  ExitStatus: `exit ${digit}`,
  DID: `91800000000${digit}`,
  Audio: `https://recordings.example/${digit}.mp3`,
});
const ofParticipant = [...times, 'participantNumber', 'agentName', 'dialStatus', 'exitStatus', 'did'];

/** Any of its times may be missing, as during the participation. */
const toldOfParticipant = (digit: number) => {
  const all = Object.entries(participantValues(digit));
  const isTime = ([name]: (typeof all)[number]) => name.endsWith('Time');
  const others = all.filter((one) => !isTime(one));
  return fc.record({
    timeZone: fc.constantFrom('Asia/Kolkata', 'Europe/London'),
    sent: fc
      .tuple(fc.subarray(all.filter(isTime)), fc.subarray(others, { minLength: 4 }))
      .map((said): Sent => Object.fromEntries(said.flat())),
  });
};

it('a participant has the facts of one delivery where several have them, in the zone of its times, in every order', async () => {
  const tales = fc.tuple(toldOfParticipant(1), toldOfParticipant(2));
  const counters = await tryCases(tales, 300, async (tale) => {
    const deliveries = tale.map(({ timeZone, sent }, index) => {
      log(() => ({ at: receivedAt(index), what: fieldsText(sent), by: timeZone }));
      const { facts } = readParticipant(Object.entries({ UCID: '1', ...sent }) as unknown as PostedFields, {
        timeZone,
      });
      return deliveryOf(facts, { receivedAt: receivedAt(index), asSent: compressText(JSON.stringify(sent)) });
    });
    for (const order of ordersOf(deliveries)) {
      const { facts } = recordFrom(order, participantKey);
      const said = order.map((delivery) => plausible(delivery).facts);
      mustBelongTogether(facts, said, ofParticipant);
      mustHaveZoneOfItsTimes(facts, said);
    }
    return { 'in two zones': Number(new Set(tale.map(({ timeZone }) => timeZone)).size > 1) };
  });
  mustHappen(counters, 'in two zones');
});
