import { allRegressions, modelNamed } from '../models/models.ts';
import { figuresOf, type Histories, runChunks } from '../models/run-chunks.ts';
import type { Part, PartOptions } from '../parts.ts';

const sizes: Readonly<Record<PartOptions['size'], Histories>> = {
  full: {
    calls: { runs: 80_000, chunk: 100 },
    agents: { runs: 10_000, chunk: 50 },
  },
  quick: {
    calls: { runs: 100, chunk: 50 },
    agents: { runs: 40, chunk: 20 },
  },
};

/** Random histories of calls and of agents, each checked against the guarantees. Regressions are played first. */
export const schedules: Part = {
  name: 'schedules',
  what: 'random histories of posts, polls, faults, restarts and clocks',
  async run(options) {
    const regressions = await allRegressions();
    const failures: string[] = [];
    for (const { name, model, history } of regressions)
      await modelNamed(model)
        .replay(history)
        .catch((error: unknown) => failures.push(`${name}: ${error}`));
    const played = failures.length === 0 ? await runChunks(sizes[options.size], options) : [];
    return {
      figures: [{ what: 'regressions', value: regressions.length }, ...figuresOf(played)],
      failures: [...failures, ...played.flatMap(({ failure = [] }) => failure)],
    };
  },
};
