import { describe, expectTypeOf, it } from 'vitest';
import type { Account } from '../../../lib/account/account.ts';
import type { Parked } from '../../../lib/callback/parked.ts';
import type {
  CallParticipantRecorded,
  CallSummary,
  CallSummaryRecorded,
  CallSummaryRevised,
  Participant,
} from '../../../lib/contract/call-events.ts';
import type { Delivery } from '../../../lib/record/delivery.ts';
import type { RecordKey } from '../../../lib/record/record.ts';

type Words<Word extends string> = readonly (Word | 'unknown')[] | undefined;

describe('the published types', () => {
  it('say of a call which words there are, and that all but the zone may be absent', () => {
    expectTypeOf<CallSummary['status']>().toEqualTypeOf<'answered' | 'not-answered' | 'unknown' | undefined>();
    expectTypeOf<CallSummary['hangupBy']>().toEqualTypeOf<'user' | 'agent' | 'system' | 'unknown' | undefined>();
    expectTypeOf<CallSummary['transferTypes']>().toEqualTypeOf<
      Words<'agent' | 'skill' | 'phone-number' | 'no-transfer'>
    >();
    expectTypeOf<CallSummary['recordings']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<CallSummary['callDurationSeconds']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<CallSummary['extra']>().toEqualTypeOf<Record<string, string> | undefined>();
    expectTypeOf<{ timeZone: string }>().toExtend<CallSummary>();
  });

  it('have identifiers as text', () => {
    expectTypeOf<CallSummaryRecorded['callId']>().toEqualTypeOf<string>();
    expectTypeOf<CallSummary['sourceCallId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Participant['ucid']>().toEqualTypeOf<string | undefined>();
  });

  it('tell a first event from a revision', () => {
    expectTypeOf<CallSummaryRecorded['revision']>().toEqualTypeOf<1>();
    expectTypeOf<CallSummaryRevised['changedFields']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<CallParticipantRecorded['changedFields']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<CallSummaryRecorded>().not.toHaveProperty('changedFields');
  });

  it('let what is parked be stored as it is', () => {
    type ParkedDelivery = Extract<Parked, { kind: 'delivery' }>;

    expectTypeOf<ParkedDelivery['delivery']>().toExtend<Delivery>();
    expectTypeOf<ParkedDelivery['key']>().toExtend<RecordKey>();
  });

  it('give an account always a zone and a token setting', () => {
    expectTypeOf<Account['timeZone']>().toEqualTypeOf<string>();
    expectTypeOf<Account['token']['kind']>().toEqualTypeOf<'none' | 'static' | 'generate'>();
    expectTypeOf<Account['baseUrl']>().toEqualTypeOf<string | undefined>();
  });
});
