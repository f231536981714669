import type { Scenario } from '../scenario.ts';
import { disposed, notACall, summary, transferred } from './posted.ts';

const tableDown = { dynamodb: 'fail' } as const;

/** What recovery meets. */
export const recoverScenarios: readonly Scenario[] = [
  {
    name: 'several-messages',
    statuses: [200, 200, 200, 400],
    records: ['call 41781234567890123: 2 in 2', 'call 7: 1 in 1'],
    quick: true,
    play: (story) =>
      story.during(tableDown, async () => {
        await story.post(summary(story));
        await story.post(summary(story, disposed));
        await story.post(summary(story, { monitorUCID: '7', ...transferred }));
        await story.post(notACall(story));
      }),
  },
  {
    name: 'unreadable-message',
    statuses: [200, 200],
    records: ['call 41781234567890123: 1 in 1', 'call 7: 1 in 1'],
    deadLetters: 1,
    play: (story) =>
      story.during(tableDown, async () => {
        await story.post(summary(story));
        story.sendParked('{"kind":"delivery","key":');
        await story.post(summary(story, { monitorUCID: '7' }));
      }),
  },
  {
    name: 'for-ever-failing-message',
    statuses: [200, 200],
    records: ['call 7: 1 in 1'],
    deadLetters: 1,
    async play(story) {
      await story.put('calls', { pk: `${story.name}#41781234567890123`, sk: 'leg#main', kind: 'somebody-elses' });
      await story.during(tableDown, async () => {
        await story.post(summary(story));
        await story.post(summary(story, { monitorUCID: '7' }));
      });
    },
  },
  {
    name: 'earlier-receipt',
    statuses: [200, 200, 200],
    records: ['call 41781234567890123: 2 in 1'],
    quick: true,
    async play(story) {
      await story.during(tableDown, () => story.post(summary(story)));
      await story.post(summary(story, disposed));
      await story.post(summary(story));
    },
  },
];
