import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { storeDeadlineMs } from '../../functions/adapters/aws-clients.ts';
import { pollRateLimit, slotSeconds } from '../../functions/poll-agents/slot.ts';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import { maxRecords } from '../../lib/callback/reply.ts';
import manifest from '../../package.json' with { type: 'json' };

const page = (name: string): string => readFileSync(name, 'utf8').replaceAll(/\s+/g, ' ');

/** A figure of a page, without commas. */
const figure = (name: string, pattern: RegExp): number =>
  Number(pattern.exec(page(name))?.[1]?.replace(',', '') ?? Number.NaN);

const total = figure('docs/performance.md', /\| total \| ([\d.]+)/);
const watched = figure('docs/performance.md', /metrics and alarms \| ([\d.]+)/);
const oneFault = figure('docs/reliability.md', /([\d,]+) single faults/);
const severalFaults = figure('docs/reliability.md', /and ([\d,]+) sets of two to four/);
describe('a figure that two pages have is the same on both', () => {
  it.each<[string, string, string]>([
    ['README.md', 'the cost of a month', `$${total} ([cost]`],
    ['README.md', 'the crashes and faults', `| ${(oneFault + severalFaults).toLocaleString('en')} ([reliability]`],
    ['docs/operations.md', 'the cost of the alarms', `cost $${watched.toFixed(2)} a month`],
  ])('%s: %s', (name, _what, text) => {
    expect(page(name)).toContain(text);
  });
});

describe('a figure that the code has is the same on the pages', () => {
  it.each<[string, string]>([
    ['docs/runbook.md', `or took more than ${timeoutSeconds['poll-agents']} seconds`],
    ['docs/performance.md', `**${storeDeadlineMs / 1000} seconds a post.**`],
    ['docs/performance.md', `${maxRecords} records a post`],
    ['docs/incoming.md', `a slot of ${slotSeconds} seconds`],
    ['README.md', `in any 60 seconds, whatever restarts | at most ${pollRateLimit.maxRequests} `],
  ])('%s: %s', (name, text) => {
    expect(page(name)).toContain(text);
  });
});

describe('as long as package.json names no repository', () => {
  const pages = [...globSync(['*.md', 'docs/**/*.md'])].filter((name) => name !== 'CHANGELOG.md');

  it('nothing is published, as the pages say that begin with it', () => {
    expect(manifest).not.toHaveProperty('repository');
    for (const name of ['README.md', 'docs/deploying.md', 'docs/consuming.md'])
      expect(page(name)).toMatch(/[Nn]othing is published|not published at npmjs\.com yet/);
  });

  it.each(pages)('no page installs what others may publish under the name: %s', (name) => {
    expect(readFileSync(name, 'utf8')).not.toMatch(
      /callfeed@|npm (?:install|i)(?: -\S+)* callfeed\b|npmjs\.com\/package/,
    );
  });
});

describe('the rules of AWS on docs/reliability.md', () => {
  const [, section = ''] = readFileSync('docs/reliability.md', 'utf8').split('## Rules of AWS');
  const rows = [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| (.+) \|$/gm)].map(([, ...cells]) => cells);

  it('are all that its table has', () => {
    const [table = ''] = section.split(/^## /m);

    expect(rows.length).toBeGreaterThanOrEqual(30);
    expect(table.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(rows.length + 1);
    expect(new Set(rows.map(([rule]) => rule)).size).toBe(rows.length);
  });

  it.each(rows)(
    '%s: has a page of AWS, and names files that are there, or that nothing holds it',
    (_rule, page, held) => {
      const files = [...(held ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);

      expect(page).toMatch(/^https:\/\/docs\.aws\.amazon\.com\/\S+\.html$/);
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
      if (files.length === 0) expect(held).toMatch(/^Nothing: \S/);
    },
  );
});
