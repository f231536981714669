import type { Scenario, ScenarioRun } from './scenario.ts';

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
