import type { Scenario, ScenarioRun } from './scenario.ts';

/** A call summary of the story's account. */
const summary = ({ name, key }: Pick<ScenarioRun, 'name' | 'key'>, fields: object = {}): object => ({
  monitorUCID: '41781234567890123',
  Apikey: key,
  UserName: name,
  Status: 'Answered',
  CallerID: '09000000042',
  AgentID: 'asha',
  AgentName: 'Asha Rao',
  StartTime: '2027-01-01 11:00:00',
  EndTime: '2027-01-01 11:05:00',
  CallDuration: '00:05:00',
  ...fields,
});

/** A participant of a call. */
const participant = (fields: object = {}): object => ({
  AgentName: 'Ravi Nair',
  CallID: '41781234567890777',
  DialStatus: 'SUCCESS',
  ExitStatus: 'HANGUP',
  ParticipantNumber: '09000000077',
  PickupTime: '2027-01-01 11:00:18',
  StartTime: '2027-01-01 11:00:02',
  UCID: '41781234567890123',
  ...fields,
});

/** What the agent adds some minutes after the call. */
const disposed = { Disposition: 'Sale' };

/** A call that went from one agent to another: further agents have index entries of their own. */
const transferred = { AgentID: 'asha -> ravi -> omar', AgentName: 'Asha Rao -> Ravi Nair -> Omar Ali' };

/** An authenticated post that is no call summary. */
const notACall = ({ key, name }: Pick<ScenarioRun, 'name' | 'key'>): object => ({
  Apikey: key,
  UserName: name,
  Event: 'AgentBreak',
});

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

const dynamodbDown = { dynamodb: 'fail' } as const;

/** What recovery meets. */
export const recoverScenarios: readonly Scenario[] = [
  {
    name: 'several-messages',
    statuses: [200, 200, 200, 400],
    records: ['call 41781234567890123: 2 in 2', 'call 7: 1 in 1'],
    quick: true,
    play: (story) =>
      story.during(dynamodbDown, async () => {
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
      story.during(dynamodbDown, async () => {
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
      await story.during(dynamodbDown, async () => {
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
      await story.during(dynamodbDown, () => story.post(summary(story)));
      await story.post(summary(story, disposed));
      await story.post(summary(story));
    },
  },
];

/** Several rows, and revisions of one: the second cannot go with the first in one call. */
const batch = async (story: ScenarioRun): Promise<void> => {
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
