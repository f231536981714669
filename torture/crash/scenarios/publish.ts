import type { Scenario } from '../scenario.ts';
import type { Story } from '../story.ts';
import { disposed, participant, summary, transferred } from './posted.ts';

/** Several rows, and revisions of one: the second cannot go with the first in one call. */
const batch = async (story: Story): Promise<void> => {
  await story.post([summary(story), summary(story, { monitorUCID: '7', ...transferred }), participant()]);
  await story.post(summary(story, disposed));
  await story.post(summary(story, { ...disposed, AudioFile: 'https://recordings.example/1.mp3' }));
  await story.post(summary(story, { monitorUCID: '8' }));
};

const records = [
  'call 41781234567890123: 3 in 3',
  'call 7: 1 in 1',
  'call 8: 1 in 1',
  'participant 41781234567890123: 1 in 1',
];

/** What the publisher meets. */
export const publishScenarios: readonly Scenario[] = [
  { name: 'batch', statuses: [200, 200, 200, 200], records, quick: true, play: batch },
  {
    name: 'bus-takes-some',
    records,
    async play(story) {
      await batch(story);
      await story.during({ eventbridge: 'partial' }, () => story.publish(2));
    },
  },
  {
    name: 'bus-down',
    records,
    async play(story) {
      await batch(story);
      await story.during({ eventbridge: 'fail' }, () => story.publish(1));
      await story.during({ eventbridge: 'throttle' }, () => story.publish(1));
    },
  },
];
