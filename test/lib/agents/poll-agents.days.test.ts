import fc from 'fast-check';
import { describe, it } from 'vitest';
import { expectAllToAgree, floorSizes, playPorts, portsHistories } from '../../faults/schedules/agents/ports.ts';
import { holdsAsync } from '../../support/property.ts';

describe('pollAgents, over days of changes, failures, crashes and concurrent runs', () => {
  it.each([
    { size: floorSizes.small, runs: 15, maxPolls: 30, what: 'changes that fit into one write' },
    { size: floorSizes.large, runs: 2, maxPolls: 15, what: 'changes that need more writes than one run has time for' },
  ])('keeps timelines, snapshots and events consistent: $what', async ({ size, runs, maxPolls }) => {
    await holdsAsync(
      fc.asyncProperty(portsHistories(size, maxPolls), async (polls) => {
        await expectAllToAgree(await playPorts(polls));
      }),
      runs * Number(process.env['FC_TIMES'] ?? 1),
    );
  });
});
