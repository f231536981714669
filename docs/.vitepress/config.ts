import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the files of the repository can be read, such as https://example.com/callfeed/blob/main; undefined while nobody has published it. */
const repository = process.env['CALLFEED_REPOSITORY'];

/** The anchor of a heading as GitHub makes it, so that links hold in both. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');

/** The page of a path of the repository: itself, or the README of a folder. */
const pageOf = (path: string): string | undefined => {
  const isFolder = existsSync(`${root}/${path}`) && statSync(`${root}/${path}`).isDirectory();
  const page = isFolder ? posix.join(path, 'README.md') : path;
  return page.endsWith('.md') && existsSync(`${root}/${page}`) ? page.replace(/README\.md$/, 'index.md') : undefined;
};

/** A link as the site needs it: to a page, else to the file in the repository; undefined if nobody can open that. */
const linkFrom = (page: string, link: string): string | undefined => {
  if (/^[a-z]+:|^#/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(page), path);
  // What is not released yet is no page of the site.
  if (target.startsWith('.changeset/')) return repository && `${repository}/${target}`;
  const found = pageOf(target);
  // A page that does not exist stays a dead link, which ends the build.
  if (found === undefined && path.endsWith('.md')) return link;
  if (found === undefined) return repository && `${repository}/${target}`;
  return `/${found}${anchor === undefined ? '' : `#${anchor}`}`;
};

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const withLinks = (markdown: MarkdownIt): void => {
  markdown.core.ruler.push('links', ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open');
    for (const link of links) {
      const href = linkFrom(env.relativePath, link.attrGet('href') ?? '');
      if (href === undefined) link.attrs = [];
      else link.attrSet('href', href);
    }
  });
};

/** The names of pages in the sidebar whose headings do not say there what they are. */
const names: Readonly<Record<string, string>> = {
  'README.md': 'Overview',
  'CHANGELOG.md': 'Change log',
  'SECURITY.md': 'Reporting a vulnerability',
};

/** The name of a page: mostly its first heading. */
const titleOf = (page: string): string =>
  names[page] ?? /^# (.*)$/m.exec(readFileSync(`${root}/${page}`, 'utf8'))?.[1] ?? page;

const entry = (page: string) => ({
  text: titleOf(page),
  link: `/${page.replace(/README\.md$/, '').replace(/\.md$/, '')}`,
});
const group = (text: string, ...pages: readonly string[]) => ({ text, items: pages.map(entry) });
const docs = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`);

/** The site of the pages: its sidebar is by what readers come for, and previous and next follow it. */
export default defineConfig({
  title: 'Callfeed',
  description: manifest.description,
  srcDir: '..',
  srcExclude: ['.changeset/**', '.github/**', '.callfeed/**', '.mutation/**', 'test/**', 'dist/**'],
  outDir: '../.callfeed/site',
  cacheDir: '../.callfeed/site-cache',
  cleanUrls: true,
  // Tables have many columns.
  head: [['style', {}, '.vp-doc :is(td, th) { padding: 4px 10px; vertical-align: top; }']],
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  markdown: { anchor: { slugify }, config: withLinks },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Evaluate', link: '/' },
      { text: 'Consume', link: '/docs/questions' },
      { text: 'Operate', link: '/docs/runbook' },
      { text: 'Develop', link: '/CONTRIBUTING' },
    ],
    sidebar: [
      group('Evaluate', 'README.md', ...docs('evaluating', 'performance', 'security', 'reliability', 'sandbox')),
      group(
        'Consume',
        ...docs('questions', 'contract', 'consuming', 'figures', 'incoming'),
        ...[
          'README',
          'subscriber/README',
          'python-subscriber/README',
          'missed-call-message/README',
          'crm-lead/README',
          'live-wallboard/README',
          'another-account/README',
        ].map((name) => `docs/examples/${name}.md`),
      ),
      group(
        'Operate',
        ...docs(
          'deploying',
          'configuration',
          'upgrading',
          'operations',
          'forwarding',
          'recordings',
          'analytics',
          'runbook',
          'command-line',
          'permissions',
          'console',
        ),
        'CHANGELOG.md',
      ),
      group('Develop', 'CONTRIBUTING.md', 'SECURITY.md'),
      {
        ...group('Decisions', ...readdirSync(`${root}/docs/decisions`).map((file) => `docs/decisions/${file}`)),
        collapsed: true,
      },
    ],
  },
});
