import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventSchemasFor } from '../../../lib/contract/events.ts';
import { eventsOf, type RowChange } from '../../../lib/publish/events-of-change.ts';
import { maxDetailBytes, projectEvent } from '../../../lib/publish/project-event.ts';
import { deployment, success } from '../../deployment/index.ts';
import { holds, holdsAsync } from '../../support/arbitraries.ts';
import { everyEvent } from '../../support/every-event.ts';
import {
  callPosts,
  nestedCallPosts,
  nestedParticipantPosts,
  participantPosts,
  personalValue,
  sentinel,
} from '../../support/personal-posts.ts';
import { changesFromDeliveries, deliveryAt, normalisedRecords } from '../../support/posted-records.ts';

const projectWithPersonal = projectEvent('keep');
const projectWithoutPersonal = projectEvent('leave-out');
const schemas = eventSchemasFor('leave-out');

const changesFrom = (posted: readonly object[]): readonly RowChange[] => {
  const deliveries = posted.flatMap((post) => normalisedRecords([post]).deliveries);
  const key = deliveries[0]?.key;
  return changesFromDeliveries(
    deliveries
      .filter((delivery) => isDeepStrictEqual(delivery.key, key))
      // One second apart.
      .map(({ delivery }, second) => deliveryAt(delivery.facts, `2026-11-20T06:00:0${second}.000Z`)),
    key,
  );
};

/** No event of a change has a personal value; each satisfies its schema and keeps its type, key and id. */
const expectNothingPersonal = (changes: readonly RowChange[]) => {
  for (const event of changes.flatMap((change) => eventsOf(change))) {
    const { type, key, detail } = projectWithoutPersonal(event);
    const { error } = schemas[type].safeParse(JSON.parse(JSON.stringify(detail)));

    expect(JSON.stringify({ type, detail })).not.toMatch(sentinel);
    expect(error).toBeUndefined();
    expect({ type, key, id: detail.id }).toEqual({ type: event.type, key: event.key, id: event.detail.id });
    expect(detail['changedFields']).toEqual(event.detail['changedFields']);
  }
};

/** Whether the events of changes have personal data where that is kept. */
const hasPersonalData = (changes: readonly RowChange[]) =>
  sentinel.test(JSON.stringify(changes.flatMap(eventsOf).map(projectWithPersonal)));

/** How many of some results were true. */
const shareCounter = () => {
  let all = 0;
  let found = 0;
  return {
    add(isFound: boolean): void {
      all += 1;
      if (isFound) found += 1;
    },
    share: () => found / all,
  };
};

describe('an event without personal data', () => {
  it.each([
    ['a call', callPosts],
    ['a participant', participantPosts],
    ['a call, where lists and objects stand in place of texts', nestedCallPosts],
    ['a participant, where lists and objects stand in place of texts', nestedParticipantPosts],
  ])('identifies nobody, whatever is posted about %s', (_kind, arbitrary) => {
    const withPersonalData = shareCounter();
    holds(
      fc.property(arbitrary, (posted) => {
        const changes = changesFrom(posted);
        expectNothingPersonal(changes);
        expectNothingPersonal(changes.map((change) => ({ ...change, before: undefined })));
        withPersonalData.add(hasPersonalData(changes));
      }),
      60,
    );

    // Else the property would hold of posts without personal data.
    expect(withPersonalData.share()).toBeGreaterThan(0.8);
  });

  it('identifies nobody, whatever a poll answers about agents', async () => {
    const AgentState = fc.oneof(fc.constant('READY'), personalValue);
    const record = fc.record(
      { AgentName: personalValue, PhoneNumber: personalValue, AgentState },
      { requiredKeys: ['AgentState'] },
    );
    const withPersonalData = shareCounter();
    await holdsAsync(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), async (seen) => {
        const shown = seen.map((person) => success([{ AgentId: 'a1', SkillName: 'Sales', ...person }]));
        const d = await deployment({ service: { logins: [...shown, success([])] } });
        await d.polls(shown.length + 1);
        expectNothingPersonal(d.changes());
        withPersonalData.add(hasPersonalData(d.changes()));
      }),
      50,
    );

    // Else the property would hold of posts without personal data.
    expect(withPersonalData.share()).toBeGreaterThan(0.8);
  });

  it('names a changed field that it does not have', () => {
    const plain = { monitorUCID: '1', Status: 'Answered', EndTime: '2026-11-20 11:00:00' };
    const [, revised] = changesFrom([plain, { ...plain, Comments: 'Sentinel', CallerID: 'Sentinel' }])
      .flatMap(eventsOf)
      .map(projectWithoutPersonal);

    expect(revised?.detail).toMatchObject({ revision: 2, changedFields: ['comments', 'customerNumber'] });
    expect(revised?.detail['call']).not.toHaveProperty('comments');
  });

  it('names in shortenedFields only fields that it has', () => {
    const long = 'Sentinel '.repeat(40_000);
    const plain = { monitorUCID: '1', Status: 'Answered', EndTime: '2026-11-20 11:00:00', UUI: long };
    const projected = (post: object) => changesFrom([post]).flatMap(eventsOf).map(projectWithoutPersonal).at(0);
    const whole = projected(plain);
    const cut = projected({ ...plain, CampaignName: 'x'.repeat(300_000) });

    expect(whole?.detail).not.toHaveProperty('shortenedFields');
    expect(cut?.detail).toMatchObject({ shortenedFields: ['campaignName'] });
    expect(Buffer.byteLength(JSON.stringify(cut?.detail))).toBeLessThanOrEqual(maxDetailBytes);
  });

  it('has no attribute of a newer version, because nobody knows what it holds', () => {
    const [change] = changesFrom([{ monitorUCID: '1', Status: 'Answered' }]);
    const [event] = change ? eventsOf({ ...change, after: { ...change.after, addedLater: 'Sentinel' } }) : [];

    expect(event && JSON.stringify(projectWithPersonal(event))).toMatch(sentinel);
    expect(event && JSON.stringify(projectWithoutPersonal(event))).not.toMatch(sentinel);
  });

  it('has every other value unchanged', async () => {
    const [kept] = await everyEvent('keep');
    const [leftOut] = await everyEvent('leave-out');
    const personal = [
      'customerNumber',
      'customerNumberE164',
      'dialledNumber',
      'dialledNumberE164',
      'agentPhoneNumber',
      'agentPhoneNumberE164',
      'agentNames',
      'phoneName',
      'comments',
      'recordings',
    ];
    const call = Object(kept?.detail['call']);
    const rest = Object.fromEntries(Object.entries(call).filter(([name]) => !personal.includes(name)));

    expect(leftOut).toEqual({ ...kept, detail: { ...kept?.detail, call: rest } });
    expect(Object.keys(call)).toEqual(expect.arrayContaining(personal));
  });
});
