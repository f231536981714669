import { describe, expect, it } from 'vitest';
import { mustBeUnderstood } from '../../../../torture/schedules/calls/check-reading.ts';
import { readPlainly } from '../../../../torture/schedules/calls/plain-reading.ts';

const call = { monitorUCID: '41781234567890123', StartTime: '2026-11-20 11:02:00', AgentID: '1001 -> 1002' };

describe('a record that is read by hand', () => {
  it('says when it was by the zone of its account', () => {
    expect(readPlainly(call, 0)['startedAt']).toBe('2026-11-20T05:32:00.000Z');
    expect(readPlainly(call, 1)['startedAt']).toBe('2026-11-20T11:02:00.000Z');
    expect(readPlainly(call, 1)).toMatchObject({ agentIds: ['1001', '1002'], endedAt: undefined });
  });

  it('says nothing where it is blank', () => {
    const read = readPlainly({ Status: '', Disposition: 'None', AgentID: '-', CallDuration: 'soon' }, 0);
    expect(Object.values(read).filter((value) => value !== undefined)).toEqual([]);
  });

  it.each([
    [call, true],
    // The receiver knows this word, and who reads by hand does not.
    [{ ...call, CallDuration: '00:01:00' }, false],
  ])('of %o is held against what the receiver reads: the same, %s', (record, isSame) => {
    const check = () => mustBeUnderstood({ account: 0, asList: false, records: [record] });
    if (isSame) expect(check).not.toThrow();
    else expect(check).toThrow(/callDurationSeconds of .* is read as 60/);
  });
});
