import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import type { Account, PolledAccount } from '../../../lib/accounts/accounts.ts';
import type { Parked } from '../../../lib/callback/schema.ts';
import type { RecordKey } from '../../../lib/calls/call-record.ts';
import type { Delivery } from '../../../lib/calls/merge-deliveries.ts';
import {
  type CallParticipantRecorded,
  type CallSummary,
  type CallSummaryRecorded,
  type CallSummaryRevised,
  callEvents,
  eventSource,
  type Participant,
} from '../../../lib/contract/call-events.ts';
import type { RowChange } from '../../../lib/publish/events-of-change.ts';
import { callEventOf } from '../../../lib/publish/events-of-change.ts';
import { Note } from '../../../lib/storage/field.ts';
import { callDelivery, participantDelivery } from '../../support/arbitraries.ts';
import { callKey, changesFromDeliveries, participantKey } from '../../support/call-records.ts';
import { holds } from '../../support/property.ts';

const expectValid = (change: RowChange) => {
  const event = callEventOf(change);
  if (event === undefined) return;
  const schema = callEvents[event.type as keyof typeof callEvents];
  expect(schema.safeParse(JSON.parse(JSON.stringify(event.detail))).error).toBeUndefined();
};

describe('a published event', () => {
  it.each([
    ['call', callDelivery, callKey],
    ['participant', participantDelivery, participantKey],
  ] as const)(
    'of a %s satisfies the contract, whatever is delivered and whatever image is missing',
    (_kind, delivery, key) => {
      holds(
        fc.property(fc.array(delivery, { minLength: 1, maxLength: 5 }), (deliveries) => {
          for (const change of changesFromDeliveries(deliveries, key)) {
            expectValid(change);
            expectValid({ ...change, before: undefined });
          }
        }),
      );
    },
  );
});

describe('callEvents', () => {
  it.each([
    [
      'a call',
      callEvents['Call Summary Recorded'].shape.call,
      [
        'agentNames agentPhoneNumber agentStatusesAsSent campaignStatusAsSent comments conferenceRecordings',
        'customerNumber customerStatusesAsSent dialStatusesAsSent dialledNumber extra hangupByAsSent phoneName',
        'recordings statusAsSent transferTypesAsSent transferredTo typeAsSent uui',
      ],
    ],
    [
      'a participant',
      callEvents['Call Participant Recorded'].shape.participant,
      ['agentName dialStatusAsSent exitStatus extra participantNumber recordings'],
    ],
  ])('says which fields of %s may identify a person', (_kind, schema, names) => {
    const personal = Object.entries(schema.shape)
      .filter(([, field]) => z.globalRegistry.get(field)?.['personal'])
      .map(([name]) => name);

    expect(personal.sort()).toEqual(names.join(' ').split(' '));
  });

  it('marks every value as sent as personal', () => {
    expect(z.globalRegistry.get(Note.shape.asSent)).toMatchObject({ personal: true });
  });

  it('has the source callfeed on the bus', () => {
    expect(eventSource).toBe('callfeed');
  });
});

type Words<Word extends string> = readonly (Word | 'unknown')[] | undefined;

describe('the published types', () => {
  it('have the words of a call’s fields, all optional but the zone', () => {
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

  it('distinguish a first event from a revision', () => {
    expectTypeOf<CallSummaryRecorded['revision']>().toEqualTypeOf<1>();
    expectTypeOf<CallSummaryRevised['changedFields']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<CallParticipantRecorded['changedFields']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<CallSummaryRecorded>().not.toHaveProperty('changedFields');
  });

  it('let a parked delivery be stored as it is', () => {
    type ParkedDelivery = Extract<Parked, { kind: 'delivery' }>;

    expectTypeOf<ParkedDelivery['delivery']>().toExtend<Delivery>();
    expectTypeOf<ParkedDelivery['key']>().toExtend<RecordKey>();
  });

  it('always have a zone in an account, and a token setting where it is polled', () => {
    expectTypeOf<Account['timeZone']>().toEqualTypeOf<string>();
    expectTypeOf<PolledAccount['token']['kind']>().toEqualTypeOf<'none' | 'static' | 'generate'>();
    expectTypeOf<Account['baseUrl']>().toEqualTypeOf<string | undefined>();
  });
});
