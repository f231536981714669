import type { Scenario, ScenarioRun } from './scenario.ts';

const team = ['asha', 'ravi', 'meera'];
/** With a row and a stretch each they are more than one transaction takes. */
const crowd = Array.from({ length: 50 }, (_, index) => `agent-${index}`);

const pollWithStates = async (story: ScenarioRun, agentIds: readonly string[], state = 'READY'): Promise<void> => {
  story.centre.set(agentIds, state);
  await story.pollUntilSeen();
};

const floorScenario = (name: string, play: Scenario['play'], more: Partial<Scenario> = {}): Scenario => ({
  name,
  polled: true,
  play: async (story) => {
    await play(story);
    await story.pollUntilTidy();
  },
  ...more,
});

const fewChanges = async (story: ScenarioRun): Promise<void> => {
  await pollWithStates(story, team);
  await pollWithStates(story, ['asha'], 'INCALL');
  story.centre.leave(['ravi']);
  await story.pollUntilSeen();
  await pollWithStates(story, ['ravi', 'omar'], 'PAUSE');
};

const interruption = async (story: ScenarioRun): Promise<void> => {
  await pollWithStates(story, team);
  story.centre.say('error');
  await story.poll(5);
  story.centre.say('floor');
  await pollWithStates(story, ['meera'], 'ACW');
};

const tokenRefused = async (story: ScenarioRun): Promise<void> => {
  await pollWithStates(story, team);
  // A young token that is refused is not renewed.
  story.idle(24);
  story.centre.revokeTokens();
  await pollWithStates(story, ['asha'], 'INCALL');
};

/** Processes that remember nothing ask for tokens again and again, and get none. */
const withoutTokens = async (story: ScenarioRun, times: number): Promise<void> => {
  story.centre.say('error');
  for (let time = 0; time < times; time++) {
    story.restart();
    await story.poll();
    story.idle(20);
  }
  story.centre.say('floor');
  story.idle(120);
  story.centre.set(team, 'READY');
};

/** What the poller meets. */
export const pollScenarios: readonly Scenario[] = [
  floorScenario('first-poll', (story) => pollWithStates(story, team), { quick: true }),
  floorScenario('unchanged', async (story) => {
    await pollWithStates(story, team);
    await story.poll(3);
  }),
  floorScenario('few-changes', fewChanges, { quick: true }),
  floorScenario('few-changes-by-new-processes', async (story) => {
    await pollWithStates(story, team);
    story.restart();
    await pollWithStates(story, ['asha'], 'INCALL');
    story.restart();
    story.centre.leave(['ravi']);
    await story.pollUntilSeen();
    story.restart();
  }),
  floorScenario('empty-floor', async (story) => {
    await pollWithStates(story, team);
    story.centre.leave(team);
    await story.pollUntilSeen();
  }),
  floorScenario('many-changes', async (story) => {
    await pollWithStates(story, crowd);
    await pollWithStates(story, crowd, 'INCALL');
    story.centre.leave(crowd);
    await story.pollUntilSeen();
  }),
  floorScenario('interruption', interruption),
  floorScenario('not-polled', async (story) => {
    await pollWithStates(story, team);
    story.idle(10);
    story.centre.set(['asha'], 'ACW');
    story.restart();
  }),
  floorScenario(
    'failing-for-processes-without-memory',
    async (story) => {
      await pollWithStates(story, team);
      story.centre.say('html');
      for (let slot = 0; slot < 5; slot++) {
        story.restart();
        await story.poll();
      }
      story.centre.say('floor');
    },
    { quick: true },
  ),
  floorScenario(
    'midnight',
    async (story) => {
      await pollWithStates(story, team);
      await story.poll(3);
      await pollWithStates(story, ['asha'], 'INCALL');
    },
    { beginsAt: '18:29:35' },
  ),
  floorScenario('token', (story) => pollWithStates(story, team), { token: true, quick: true }),
  floorScenario('token-refused', tokenRefused, { token: true }),
  floorScenario('token-service-down', (story) => withoutTokens(story, 2), { token: true }),
  // Long enough to use up the tokens of an hour, and the same over and over.
  floorScenario('no-tokens', (story) => withoutTokens(story, 14), { token: true, drawnOnly: true, quick: true }),
  floorScenario('few-changes-over-http', fewChanges, { http: true }),
  floorScenario('token-over-http', tokenRefused, { http: true, token: true, quick: true }),
];
