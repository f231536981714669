import type { Scenario } from '../scenario.ts';
import { disposed, notACall, participant, summary, transferred } from './posted.ts';

const tableDown = { dynamodb: 'fail' } as const;
const allDown = { dynamodb: 'throttle', sqs: 'fail' } as const;

/** What the receiver meets. */
export const receiveScenarios: readonly Scenario[] = [
  {
    name: 'new-call',
    statuses: [200],
    records: ['call 41781234567890123: 1 in 1'],
    quick: true,
    play: (story) => story.post(summary(story)),
  },
  {
    name: 'repeat',
    statuses: [200, 200],
    records: ['call 41781234567890123: 1 in 1'],
    async play(story) {
      await story.post(summary(story));
      await story.post(summary(story));
    },
  },
  {
    name: 'revisions',
    statuses: [200, 200, 200],
    records: ['call 41781234567890123: 3 in 2'],
    async play(story) {
      await story.post(summary(story));
      await story.post(summary(story, disposed));
      await story.post(summary(story, { Status: 'NotAnswered', AgentID: '' }));
    },
  },
  {
    name: 'several-agents',
    statuses: [200, 200, 200],
    records: ['call 41781234567890123: 3 in 3'],
    quick: true,
    async play(story) {
      await story.post(summary(story, transferred));
      await story.post(summary(story, { ...transferred, ...disposed }));
      // Richer by its recording, so that its fewer agents stand: entries of the others have to go.
      await story.post(summary(story, { ...disposed, AudioFile: 'https://recordings.example/1.mp3' }));
    },
  },
  {
    name: 'array',
    statuses: [200, 200],
    records: [
      'call 41781234567890123: 1 in 1',
      'call 41781234567890999: 1 in 1',
      'participant 41781234567890123: 2 in 2',
    ],
    async play(story) {
      const [first, second] = [summary(story), summary(story, { monitorUCID: '41781234567890999', ...transferred })];
      await story.post([first, second, participant()]);
      await story.post([second, participant({ ExitStatus: 'TRANSFERRED' }), { Apikey: story.key, What: 'is this' }]);
    },
  },
  {
    name: 'table-down',
    statuses: [200, 200],
    records: ['call 41781234567890123: 2 in 1'],
    quick: true,
    async play(story) {
      await story.during(tableDown, () => story.post(summary(story)));
      await story.post(summary(story, disposed));
    },
  },
  {
    name: 'table-down-array',
    statuses: [200],
    records: ['call 41781234567890123: 1 in 1', 'call 7: 1 in 1', 'participant 41781234567890123: 1 in 1'],
    play: (story) =>
      story.during(tableDown, () =>
        story.post([summary(story), summary(story, { monitorUCID: '7', ...transferred }), participant()]),
      ),
  },
  {
    name: 'table-and-queue-down',
    statuses: [503, 503, 200],
    records: ['call 41781234567890123: 1 in 1'],
    quick: true,
    async play(story) {
      const isKept = async (): Promise<boolean> => {
        const reply = await story.postOnce(summary(story));
        return reply !== undefined && reply.statusCode < 500;
      };
      let kept = false;
      await story.during(allDown, async () => {
        kept = (await isKept()) || (await isKept());
      });
      if (!kept) await story.post(summary(story));
    },
  },
  {
    name: 'not-understood',
    statuses: [400, 400, 400],
    records: [],
    async play(story) {
      await story.post(notACall(story));
      await story.post(notACall(story));
      await story.post(`[{"Apikey":"${story.key}","monitorUCID":"1"`);
    },
  },
  {
    name: 'quarantine-down',
    statuses: [400],
    records: [],
    play: (story) => story.during(tableDown, () => story.post(notACall(story))),
  },
  {
    name: 'stranger',
    statuses: [400, 401, 400],
    records: [],
    async play(story) {
      await story.post('{"monitorUCID":');
      await story.post(summary(story, { Apikey: 'nobody-knows-this-key' }));
      await story.during(tableDown, () => story.post('{"monitorUCID":'));
    },
  },
];
