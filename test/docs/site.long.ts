import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { checkout, nodeIn } from '../support/packed-package.ts';

let folder: string;

/** A copy of all pages, which the test may change. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callfeed-site-'));
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
  for (const name of ['docs', 'cdk', 'sandbox/examples', 'package.json', 'tsconfig.json', ...pages])
    cpSync(join(checkout, name), join(folder, name), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
});

const build = (environment = {}) =>
  nodeIn(folder, ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs'], { environment });
const site = (name: string): string => join(folder, '.callfeed/site', name);

it('builds a site that has every page, with a sidebar by reader, previous and next, and a search', async () => {
  expect(await build()).toMatchObject({ code: 0 });

  const pages = readdirSync(join(folder, 'docs')).filter((name) => name.endsWith('.md'));
  expect(readdirSync(site('docs'))).toEqual(expect.arrayContaining(pages.map((name) => name.replace('.md', '.html'))));
  const questions = readFileSync(site('docs/questions.html'), 'utf8');
  for (const text of ['Evaluate', 'Consume', 'Operate', 'Develop', 'Previous page', 'Next page', 'Search'])
    expect(questions).toContain(text);
  for (const page of pages) expect(questions).toContain(`href="/docs/${page.replace('.md', '')}"`);
  // Anchors are those of GitHub.
  expect(questions).toContain('id="which-calls-did-we-miss-yesterday"');
  expect(readFileSync(site('docs/deploying.html'), 'utf8')).toContain('id="6-post-a-call-by-hand"');
  // Nothing links to a repository that nobody can open.
  expect(readFileSync(site('docs/deploying.html'), 'utf8')).not.toMatch(/href="[^"]*deployment-policy\.json"/);
});

it('links to the repository for what is no page, if it is named', async () => {
  const repository = 'https://example.com/callfeed/blob/main';
  expect(await build({ CALLFEED_REPOSITORY: repository })).toMatchObject({ code: 0 });

  expect(readFileSync(site('docs/deploying.html'), 'utf8')).toContain(
    `href="${repository}/cdk/deployment-policy.json"`,
  );
});

it('does not build with a dead link', async () => {
  appendFileSync(join(folder, 'docs/security.md'), '\n[Nowhere](no-such-page.md)\n');

  expect(await build()).toMatchObject({ code: 1, errors: expect.stringContaining('dead link') });
});

it('has a configuration that compiles', async () => {
  const tsconfig = { extends: './tsconfig.json', include: ['docs/.vitepress/config.ts'] };
  writeFileSync(join(folder, 'tsconfig.site.json'), JSON.stringify(tsconfig));

  expect(await nodeIn(folder, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.site.json'])).toMatchObject({
    code: 0,
  });
});
