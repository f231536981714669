import fc from 'fast-check';
import { type Delivery, deliveryOf } from '../../../lib/record/delivery.ts';
import { understood } from './facts-of.ts';

const instant = (second: number): string => new Date(Date.UTC(2026, 10, 20, 6, 0, second)).toISOString();

const blank = fc.constantFrom('', 'None', 'null', '-', undefined);
const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ arbitrary: blank, weight: 1 }, { arbitrary, weight: 2 });
const url = fc.nat({ max: 5 }).map((number) => `https://r.example.com/${number}.mp3`);
const time = fc.nat({ max: 59 }).map((second) => `2026-11-20 11:00:${String(second).padStart(2, '0')}`);

/** Call summaries of one call, with few values for each field, so that they agree and contradict each other often. */
export const callPost = fc.record({
  monitorUCID: fc.constant('41781234567890123'),
  Status: often(fc.constantFrom('Answered', 'NotAnswered', 'answered', 'Fail')),
  Disposition: often(
    fc.constantFrom('Wrap up time exceeded :120', 'Sale', 'Refund', 'Wrap up time exceeded :120 -> Sale'),
  ),
  AudioFile: often(fc.array(url, { minLength: 1, maxLength: 3 }).map((urls) => urls.join(','))),
  CallerConfAudioFile: often(fc.array(url, { minLength: 1, maxLength: 3 }).map((urls) => urls.join(' -> '))),
  AgentID: often(fc.constantFrom('1001', '1001 -> 1002', ' -> 1003')),
  Comments: often(fc.constantFrom('one', 'two', 'x'.repeat(300))),
  CallDuration: often(fc.constantFrom('00:00:10', '10', 'soon', '00:00:12')),
  StartTime: often(fc.oneof(time, fc.constantFrom('soon', '2026-11-20T05:30:00Z'))),
  EndTime: often(time),
  CustomerStatus: often(fc.constantFrom('answered', 'DND', 'Busy -> DND')),
  UUI: often(fc.constantFrom('SkillTransfer-77~1001', 'order 7')),
  AgentPhoneNumber: often(fc.constantFrom('1', '2'.repeat(30))),
  SkillID: often(fc.constantFrom('1', '2')),
  Tenant: often(fc.constantFrom('a', 'b')),
});

/** Participant records of one participation. */
export const participantPost = fc.record({
  UCID: fc.constant('41781234567890123'),
  CallID: fc.constant('9'),
  ExitStatus: fc.constantFrom('', 'None', 'HANGUP', 'TRANSFER'),
  EndTime: often(time),
  PickupTime: often(fc.oneof(time, fc.constant('soon'))),
  Audio: often(fc.array(url, { minLength: 1, maxLength: 3 }).map((urls) => urls.join(','))),
  AgentName: often(fc.constantFrom('Asha', 'Ravi')),
  DialStatus: often(fc.constantFrom('SUCCESS', 'FAILED', 'answered')),
  SkillID: often(fc.constantFrom('1', '2')),
});

const deliveryFrom = (post: object, second: number): Delivery => {
  const [keyed] = understood([post]).deliveries;
  if (keyed === undefined) throw new Error('not understood');
  return deliveryOf(keyed.delivery.facts, instant(second));
};

const receivedWithin = fc.nat({ max: 20 });

/** Deliveries of one call, in no order. */
export const callDelivery = fc.tuple(callPost, receivedWithin).map(([post, second]) => deliveryFrom(post, second));

/** Deliveries of one participation, in no order. */
export const participantDelivery = fc
  .tuple(participantPost, receivedWithin)
  .map(([post, second]) => deliveryFrom(post, second));
