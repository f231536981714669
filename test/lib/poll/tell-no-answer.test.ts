import { describe, expect, it } from 'vitest';
import { tellNoAnswer } from '../../../lib/poll/tell-no-answer.ts';
import { recordingTelemetry } from '../support/ports.ts';

describe('tellNoAnswer', () => {
  it.each([
    ['PollsFailed', { PollsFailed: 1, PollsPassedOver: 0, PollsAnswered: 0 }],
    ['PollsPassedOver', { PollsFailed: 0, PollsPassedOver: 1, PollsAnswered: 0 }],
  ] as const)('counts a poll among %s, and that it ended in no other way', (ended, counts) => {
    const telemetry = recordingTelemetry();
    tellNoAnswer(telemetry, ended);

    expect(telemetry.counts).toEqual(counts);
  });

  it('takes nothing away from polls that were answered', () => {
    const telemetry = recordingTelemetry();
    telemetry.count('PollsAnswered');
    tellNoAnswer(telemetry, 'PollsFailed');

    expect(telemetry.counts).toMatchObject({ PollsAnswered: 1, PollsFailed: 1 });
  });
});
