import { describe, expect, it } from 'vitest';
import { tellChanges } from '../../../lib/publish/tell-changes.ts';
import { recordingTelemetry } from '../support/ports.ts';

describe('tellChanges', () => {
  it('counts what the publisher has to hear of, and that it made no event yet', () => {
    const telemetry = recordingTelemetry();
    tellChanges(telemetry, 3);

    expect(telemetry.counts).toEqual({ ChangesWritten: 3, EventsPublished: 0 });
  });

  it('says nothing where nothing was written', () => {
    const telemetry = recordingTelemetry();
    tellChanges(telemetry, 0);

    expect(telemetry.counts).toEqual({});
  });
});
