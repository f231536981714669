import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../sandbox/bus/envelope.ts';
import { createEventLog } from '../../../sandbox/bus/event-log.ts';

const event = (id: string): Envelope => ({
  version: '0',
  id,
  'detail-type': 'Call Summary Recorded',
  source: 'callfeed',
  account: '000000000000',
  time: '2026-11-21T09:00:00Z',
  region: 'local',
  resources: [],
  detail: { text: 'two\nlines' },
});
const idsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).id);

describe('createEventLog', () => {
  it('keeps each event as one line, oldest first', () => {
    const log = createEventLog();
    log.append([event('a'), event('b')]);
    log.append([event('c')]);

    expect(idsOf(log.lines())).toEqual(['a', 'b', 'c']);
    expect(log.lines().join('')).not.toContain('\n');
    expect(log.count()).toBe(3);
  });

  it('tells followers of new events until they leave', () => {
    const log = createEventLog();
    log.append([event('before')]);
    const followed: string[] = [];
    const leave = log.follow((line) => followed.push(line));
    log.append([event('a')]);
    leave();
    log.append([event('b')]);

    expect(idsOf(followed)).toEqual(['a']);
  });

  it('goes on from its file after a restart, without the line that was torn', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'events.ndjson');
    createEventLog(file).append([event('a')]);
    await appendFile(file, '{"version":"0","id":"to');

    const log = createEventLog(file);
    log.append([event('b')]);

    expect(log.count()).toBe(2);
    expect(idsOf(log.lines())).toEqual(['a', 'b']);
    expect(idsOf(createEventLog(file).lines())).toEqual(['a', 'b']);
  });
});
