import type { Scenario, ScenarioRun } from './scenario.ts';

type Account = Pick<ScenarioRun, 'name' | 'key'>;

const summary = ({ name, key }: Account, fields: object = {}): object => ({
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

const recorded = { ...disposed, AudioFile: 'https://recordings.example/1.mp3' };

/** A call that went from agent to agent: further agents have index entries of their own. */
const transferred = { AgentID: 'asha -> ravi -> omar', AgentName: 'Asha Rao -> Ravi Nair -> Omar Ali' };

/** An authenticated post that is not a call summary. */
const notACall = ({ key, name }: Account, Event = 'AgentBreak'): object => ({ Apikey: key, UserName: name, Event });

const tableDown = { dynamodb: 'fail' } as const;
const allDown = { dynamodb: 'throttle', sqs: 'fail' } as const;

export const receiveScenarios: readonly Scenario[] = [
  {
    name: 'new-call',
    statuses: [200],
    records: ['call 41781234567890123: 1 in 1'],
    quick: true,
    play: (run) => run.post(summary(run)),
  },
  {
    name: 'several-agents',
    statuses: [200, 200, 200, 200],
    records: ['call 41781234567890123: 4 in 3'],
    quick: true,
    async play(run) {
      await run.post(summary(run, transferred));
      await run.post(summary(run, { ...transferred, ...disposed }));
      // The recording makes it richer, so its fewer agents win and the others’ entries must go.
      await run.post(summary(run, recorded));
      // It is poorer, so nothing changes.
      await run.post(summary(run, { Status: 'NotAnswered', AgentID: '' }));
    },
  },
  {
    name: 'array',
    statuses: [200, 200, 200],
    records: [
      'call 41781234567890123: 1 in 1',
      'call 41781234567890999: 1 in 1',
      'participant 41781234567890123: 2 in 2',
    ],
    async play(run) {
      const first = summary(run);
      const second = summary(run, { monitorUCID: '41781234567890999', ...transferred });
      await run.post([first, second, participant()]);
      await run.post([first, second, participant({ ExitStatus: 'TRANSFERRED' }), { Apikey: run.key, What: 'is this' }]);
      await run.post([first, second, participant()]);
    },
  },
  {
    name: 'table-down-array',
    statuses: [200, 200],
    records: [
      'call 41781234567890123: 1 in 1',
      'call 7: 1 in 1',
      'call 8: 1 in 1',
      'participant 41781234567890123: 1 in 1',
    ],
    play: (run) =>
      run.during(tableDown, async () => {
        await run.post([summary(run), summary(run, { monitorUCID: '7', ...transferred }), participant()]);
        await run.post(summary(run, { monitorUCID: '8' }));
      }),
  },
  {
    name: 'table-and-queue-down',
    statuses: [503, 503, 200],
    records: ['call 41781234567890123: 1 in 1'],
    quick: true,
    async play(run) {
      const isAccepted = async (): Promise<boolean> => {
        const reply = await run.postOnce(summary(run));
        return reply !== undefined && reply.statusCode < 500;
      };
      let isDone = false;
      await run.during(allDown, async () => {
        isDone = (await isAccepted()) || (await isAccepted());
      });
      if (!isDone) await run.post(summary(run));
    },
  },
  {
    name: 'quarantine',
    statuses: [200, 200, 200, 200],
    records: [],
    async play(run) {
      await run.post(notACall(run));
      await run.post(notACall(run));
      await run.post(`[{"Apikey":"${run.key}","monitorUCID":"1"`);
      await run.during(tableDown, () => run.post(notACall(run, 'AgentLogin')));
    },
  },
  {
    name: 'unknown-sender',
    statuses: [400, 401, 400],
    records: [],
    async play(run) {
      await run.post('{"monitorUCID":');
      await run.post(summary(run, { Apikey: 'nobody-knows-this-key' }));
      await run.during(tableDown, () => run.post('{"monitorUCID":'));
    },
  },
];

export const recoverScenarios: readonly Scenario[] = [
  {
    name: 'several-messages',
    statuses: [200, 200, 200, 200],
    records: ['call 41781234567890123: 2 in 2', 'call 7: 1 in 1'],
    quick: true,
    play: (run) =>
      run.during(tableDown, async () => {
        await run.post(summary(run));
        await run.post(summary(run, disposed));
        await run.post(summary(run, { monitorUCID: '7', ...transferred }));
        await run.post(notACall(run));
      }),
  },
  {
    // One message cannot be read. Another belongs to a row that somebody else wrote, so it fails at every try.
    name: 'dead-letters',
    statuses: [200, 200],
    records: ['call 7: 1 in 1'],
    deadLetters: 2,
    async play(run) {
      await run.put('calls', { pk: `${run.name}#41781234567890123`, sk: 'call', kind: 'somebody-elses' });
      await run.during(tableDown, async () => {
        await run.post(summary(run));
        run.sendParked('{"kind":"delivery","key":');
        await run.post(summary(run, { monitorUCID: '7' }));
      });
    },
  },
  {
    name: 'earlier-receipt',
    statuses: [200, 200, 200],
    records: ['call 41781234567890123: 2 in 1'],
    quick: true,
    async play(run) {
      await run.during(tableDown, () => run.post(summary(run)));
      await run.post(summary(run, disposed));
      await run.post(summary(run));
    },
  },
];

/** Several rows, and revisions of one: its second revision cannot share a request with the first. */
const batch = async (run: ScenarioRun): Promise<void> => {
  await run.post([summary(run), summary(run, { monitorUCID: '7', ...transferred }), participant()]);
  await run.post(summary(run, disposed));
  await run.post(summary(run, recorded));
  await run.post(summary(run, { monitorUCID: '8' }));
};

const records = [
  'call 41781234567890123: 3 in 3',
  'call 7: 1 in 1',
  'call 8: 1 in 1',
  'participant 41781234567890123: 1 in 1',
];

export const publishScenarios: readonly Scenario[] = [
  { name: 'batch', statuses: [200, 200, 200, 200], records, quick: true, play: batch },
  {
    name: 'bus-down',
    records,
    async play(run) {
      await batch(run);
      await run.during({ eventbridge: 'partial' }, () => run.publish(2));
      await run.during({ eventbridge: 'fail' }, () => run.publish(1));
      await run.during({ eventbridge: 'throttle' }, () => run.publish(1));
    },
  },
];

const team = ['asha', 'ravi', 'meera'];

/** With a row and an interval each, these are more rows than one transaction takes. */
const crowd = Array.from({ length: 50 }, (_, index) => `agent-${index}`);

const pollScenario = (name: string, play: Scenario['play'], more: Partial<Scenario> = {}): Scenario => ({
  name,
  polled: true,
  play: async (run) => {
    await play(run);
    await run.pollUntilTidy();
  },
  ...more,
});

const pollWithStates = async (run: ScenarioRun, agentIds: readonly string[], state = 'READY'): Promise<void> => {
  run.centre.set(agentIds, state);
  await run.pollUntilSeen();
};

const pollWithout = async (run: ScenarioRun, agentIds: readonly string[]): Promise<void> => {
  run.centre.leave(agentIds);
  await run.pollUntilSeen();
};

const tokenRejected = async (run: ScenarioRun): Promise<void> => {
  await pollWithStates(run, team);
  // The poller does not renew a token that was issued a moment ago.
  run.idle(24);
  run.centre.revokeTokens();
  await pollWithStates(run, ['asha'], 'INCALL');
};

/** Processes without memory request tokens again and again, and get none. */
const withoutTokens = async (run: ScenarioRun): Promise<void> => {
  run.centre.answerWith('error');
  for (let time = 0; time < 14; time++) {
    run.restart();
    await run.poll();
    run.idle(20);
  }
  run.centre.answerWith('agents');
  run.idle(120);
  run.centre.set(team, 'READY');
};

export const pollScenarios: readonly Scenario[] = [
  pollScenario(
    'few-changes-by-new-processes',
    async (run) => {
      await pollWithStates(run, team);
      run.restart();
      await pollWithStates(run, ['asha'], 'INCALL');
      run.restart();
      await pollWithout(run, ['ravi']);
      run.restart();
      await pollWithStates(run, ['ravi', 'omar'], 'PAUSE');
      await pollWithout(run, [...team, 'omar']);
    },
    { quick: true },
  ),
  pollScenario('many-changes', async (run) => {
    await pollWithStates(run, crowd);
    await pollWithStates(run, crowd, 'INCALL');
    await pollWithout(run, crowd);
  }),
  pollScenario('interruption', async (run) => {
    await pollWithStates(run, team);
    run.centre.answerWith('error');
    await run.poll(5);
    run.centre.answerWith('agents');
    await pollWithStates(run, ['meera'], 'acw');
    run.idle(10);
    run.centre.set(['asha'], 'acw');
    run.restart();
  }),
  pollScenario(
    'failing-for-processes-without-memory',
    async (run) => {
      await pollWithStates(run, team);
      run.centre.answerWith('html');
      for (let slot = 0; slot < 5; slot++) {
        run.restart();
        await run.poll();
      }
      run.centre.answerWith('agents');
    },
    { quick: true },
  ),
  pollScenario(
    'midnight',
    async (run) => {
      await pollWithStates(run, team);
      await run.poll(3);
      await pollWithStates(run, ['asha'], 'INCALL');
    },
    { beginsAt: '18:29:35' },
  ),
  pollScenario('token-rejected', tokenRejected, { token: true, quick: true }),
  // It lasts long enough to use up the tokens of an hour, and repeats the same calls.
  pollScenario('no-tokens', withoutTokens, { token: true, drawnOnly: true, quick: true }),
];
