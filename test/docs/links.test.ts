import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

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

  it.each(pages)('and every path of a source file exists: %s', (file) => {
    const paths = [
      ...readFileSync(file, 'utf8').matchAll(/`((?:bench|cdk|cli|docs|functions|lib|sandbox|test)\/[\w./-]+)`/g),
    ];

    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('in messages and comments of the code', () => {
    const others = tracked('*.ts').filter((file) => file !== 'test/docs/links.test.ts');
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
