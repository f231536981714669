import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { upgradeNotes } from '../../cli/frame/version-fit.ts';
import { parkingReserveMs, replyReserveMs, storeDeadlineMs } from '../../functions/adapters/aws-clients.ts';
import { timeoutSeconds } from '../../functions/limits.ts';
import { pollRateLimit, slotSeconds } from '../../functions/poll-agents/rate-limit.ts';
import { maxRecords } from '../../lib/callback/reply.ts';

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file));

const pages = tracked('*.md').filter((file) => !file.startsWith('.changeset/'));

/** Without blocks of code, in which a `#` begins a comment. */
const prose = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^( *)```.*?^\1```$/gms, '');

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (file: string): readonly string[] => {
  const anchors = [...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[(.*?)\]\(.*?\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );
  return anchors.map((anchor, index) => {
    const before = anchors.slice(0, index).filter((other) => other === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
};

/** Whether a link of a file leads to a file or folder, and to a heading there if it names one. */
const resolves = (file: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : join(dirname(file), decodeURIComponent(path));
  return existsSync(target) && (anchor === undefined || (target.endsWith('.md') && anchorsOf(target).includes(anchor)));
};

describe('every link within the project leads somewhere', () => {
  it.each(pages)('on %s', (file) => {
    const links = [...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const within = links.filter((link) => !/^(?:https?|mailto):/.test(link));

    expect(within.filter((link) => !resolves(file, link))).toEqual([]);
  });

  // The change log names what is gone.
  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('and every path of a source file exists: %s', (file) => {
    const paths = [
      ...readFileSync(file, 'utf8').matchAll(/`((?:bench|cdk|cli|docs|functions|lib|sandbox|test)\/[\w./-]+)`/g),
    ];

    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('a file that CONTRIBUTING.md names without a folder is in the folder of the one before it', () => {
    const missing: string[] = [];
    let folder = '.';
    for (const [, name = ''] of readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/`([\w-][\w./-]*\.ts)`/g)) {
      if (name.includes('/')) folder = dirname(name);
      else if (!existsSync(join(folder, name))) missing.push(join(folder, name));
    }

    expect(missing).toEqual([]);
  });

  it('every script that README.md names exists', () => {
    const named = [...page('README.md').matchAll(/npm (?:run |(?=start|test))([a-z][a-z0-9-]*)/g)];

    expect(named.length).toBeGreaterThan(3);
    expect(named.map(([, name = '']) => name).filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  it('in messages and comments of the code', () => {
    const others = tracked('*.ts').filter((file) => file !== 'test/docs/pages.test.ts');
    const named = others.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => link),
    );

    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((link) => !resolves('README.md', link))).toEqual([]);
  });

  it('or the check finds it', () => {
    expect(resolves('README.md', 'docs/runbook.md#agents-stale')).toBe(true);
    expect(resolves('README.md', 'docs/runbook.md#no-such-section')).toBe(false);
    expect(resolves('README.md', 'docs/no-such-page.md')).toBe(false);
  });
});

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
    [
      'docs/performance.md',
      `**${storeDeadlineMs / 1000} seconds a write, ${timeoutSeconds['receive-callback']} seconds a post.**`,
    ],
    [
      'docs/performance.md',
      `when ${(parkingReserveMs + replyReserveMs) / 1000} of the ${timeoutSeconds['receive-callback']}`,
    ],
    ['docs/incoming.md', `at the latest after ${timeoutSeconds['receive-callback']} seconds`],
    ['docs/performance.md', `${maxRecords} records a post`],
    ['docs/incoming.md', `a slot of ${slotSeconds} seconds`],
    ['README.md', `in any 60 seconds, whatever restarts | at most ${pollRateLimit.maxRequests} `],
  ])('%s: %s', (name, text) => {
    expect(page(name)).toContain(text);
  });
});

describe('the hours a month of docs/evaluating.md', () => {
  const cells = readFileSync('docs/evaluating.md', 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const firstOption = cells.findIndex(([, what = '']) => what.startsWith('**With `'));
  const rows = cells.flatMap(([, what = '', , times = '', each = '', month = ''], at) =>
    /^\d/.test(month)
      ? [{ what, month: Number(month), minutes: (Number(times) * Number(each)) / 12, isOption: at > firstOption }]
      : [],
  );
  const minutesOf = (those: typeof rows) => Math.round(those.reduce((sum, { minutes }) => sum + minutes, 0));

  it.each(rows)('multiply how often by how long: $what', ({ month, minutes }) => {
    expect(month).toBe(Math.round(minutes));
  });

  it('add up', () => {
    expect(page('docs/evaluating.md')).toContain(`(${minutesOf(rows.filter(({ isOption }) => !isOption))} minutes)`);
    expect(page('docs/evaluating.md')).toContain(`(${minutesOf(rows.filter(({ isOption }) => isOption))} minutes)`);
  });
});

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

describe('a commit that a page names', () => {
  const history = git('rev-list', 'HEAD').split('\n');
  const isKnown = (commit: string): boolean => history.some((each) => each.startsWith(commit));
  /** Digits and letters of a hash, and no part of an id or a name. */
  const hash = /(?<=commit )[\da-f]{7,40}|(?<![\w-])(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,40}(?![\w-])/g;
  const named = pages.flatMap((file) => [...prose(file).matchAll(hash)].map(([commit]) => [file, commit] as const));

  it.each(named)('is in the history: %s names %s', (_file, commit) => {
    // A shallow clone, and nothing else, may lack it.
    expect(isKnown(commit) || git('rev-parse', '--is-shallow-repository') === 'true').toBe(true);
  });

  it('or the check finds it', () => {
    expect(named.length).toBeGreaterThan(5);
    expect(isKnown(git('rev-parse', '--short', 'HEAD'))).toBe(true);
    expect(isKnown('0123abc')).toBe(false);
  });
});

describe('as long as package.json names no repository', () => {
  const pages = [...globSync(['*.md', 'docs/**/*.md'])].filter((name) => name !== 'CHANGELOG.md');

  it('nothing is published, as the pages say that begin with it', () => {
    expect(manifest).not.toHaveProperty('repository');
    for (const name of ['README.md', 'docs/deploying.md', 'docs/consuming.md', 'docs/upgrading.md'])
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

describe('docs/upgrading.md', () => {
  const upgrading = readFileSync('docs/upgrading.md', 'utf8');
  const pending = globSync('.changeset/*.md').sort();

  it('links every change set that waits for a release, and no other', () => {
    const linked = [...upgrading.matchAll(/\]\(\.\.\/(\.changeset\/[\w-]+\.md)\)/g)].map(([, file]) => file);
    expect(linked.sort()).toEqual(pending);
  });

  it('has each section that the command line names, of every version that can be upgraded', () => {
    const isMajorPending = pending.some((file) => /^'callfeed': major$/m.test(readFileSync(file, 'utf8')));
    const present = Number(manifest.version.split('.')[0]) + (isMajorPending ? 1 : 0);
    const before = Array.from({ length: present }, (_, major) => `${major}.0.0`);
    const named = [undefined, ...before].flatMap((deployed) => upgradeNotes(`${present}.0.0`, deployed) ?? []);

    expect(named).toHaveLength(present + 1);
    expect(named.filter((link) => !resolves('README.md', link))).toEqual([]);
  });
});

describe('the version of package.json', () => {
  /** In *Going back* an example of any two versions. */
  const own = (file: string): string =>
    readFileSync(file, 'utf8').replaceAll(/`npm install [^`]*1\.6\.0\.tgz[^`]*`/g, '');
  const named = tracked('*.md', '*.json')
    .filter((file) => file !== 'CHANGELOG.md' && !file.startsWith('test/'))
    .flatMap((file) =>
      [...own(file).matchAll(/callfeed-(\d[\w.]*)\.tgz|(?<=\b[Vv]ersion )(\d+\.\d+\.\d+) was tested/g)].map(
        ([, archive, tested]) => [file, archive ?? tested] as const,
      ),
    );

  it.each(named)('is the one that %s names', (_file, version) => {
    expect(version).toBe(manifest.version);
  });

  it('is on the first page and where programs install the package, in the lock file, and the latest of the change log', () => {
    expect(named.map(([file]) => file)).toEqual(
      expect.arrayContaining(['README.md', 'docs/consuming.md', 'docs/examples/subscriber/package.json']),
    );
    expect(JSON.parse(readFileSync('package-lock.json', 'utf8')).version).toBe(manifest.version);
    expect(/^## (.*)$/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]).toBe(manifest.version);
  });
});
