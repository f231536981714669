import fc from 'fast-check';
import { describe, it } from 'vitest';
import { expectAllToAgree } from '../../torture/schedules/agents/check-ports.ts';
import { playPorts } from '../../torture/schedules/agents/play-ports.ts';
import { floorSizes, portsHistories } from '../../torture/schedules/agents/ports-history.ts';
import { holdsAsync } from './support/property.ts';

describe('pollAgents, over days of changes, failures, deaths and rivals', () => {
  it.each([
    { size: floorSizes.small, runs: 150, what: 'whose changes fit into one write' },
    { size: floorSizes.large, runs: 12, what: 'that takes many writes, more than one run has time for' },
  ])('leaves timelines that add up, floors that agree, and each change told once: a floor $what', async (tried) => {
    await holdsAsync(
      fc.asyncProperty(portsHistories(tried.size), async (history) => {
        await expectAllToAgree(await playPorts(history));
      }),
      tried.runs * Number(process.env['FC_TIMES'] ?? 1),
    );
  });
});
