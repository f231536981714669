import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blocksOf, isShell, pages, type Snippet, snippetsOf } from '../../support/repository-files.ts';
import { isExempt, notRun } from '../commands/not-run.ts';
import { isForCdk, isJson, isProgram } from './run-snippet.ts';

/** Which snippets each of these tests takes from all pages, but for those that are exempt. */
const runners: Readonly<Record<string, (snippet: Snippet) => boolean>> = {
  'test/docs/commands/commands.long.ts': isShell,
  'test/cdk/snippets.test.ts': isForCdk,
  'test/docs/snippets/programs.test.ts': isProgram,
  'test/docs/snippets/json.test.ts': isJson,
};

const isRun = (snippet: Snippet): boolean => Object.values(runners).some((runs) => runs(snippet));

it.each(pages)('a test runs every snippet, or it says why none does: %s', (page) => {
  expect(snippetsOf(page).filter((snippet) => !isRun(snippet) && !isExempt(snippet))).toEqual([]);
});

it.each(pages)('every fence is one of a snippet: %s', (page) => {
  const fences = readFileSync(page, 'utf8').match(/^[\s>*-]*(?:`{3,}|~{3,})/gm) ?? [];

  expect(fences).toHaveLength(2 * snippetsOf(page).length);
});

it('or the checks find it', () => {
  const snippet = { page: 'README.md', text: 'on: push\n' };

  expect(['', 'yaml', 'python', 'js', 'tsx'].filter((language) => isRun({ ...snippet, language }))).toEqual([]);
  expect(isExempt({ ...snippet, language: 'yaml' })).toBe(false);
});

const reasons = Object.entries(notRun).flatMap(([page, parts]) =>
  Object.entries(parts).map(([part, reason]) => [page, part, reason] as const),
);

it.each(reasons)('%s: what is exempt is there, as is what runs it: %s', (page, part, reason) => {
  const isCommand = blocksOf(page).some(({ commands }) =>
    commands.some(({ text }) => `$ ${text}` === part || text.includes(part)),
  );
  const found = snippetsOf(page).filter((snippet) => !isShell(snippet) && isExempt(snippet, [part]));

  expect(isCommand || found.length > 0).toBe(true);
  // A language may be exempt as a whole; any other text must not hide a second block.
  if (!part.startsWith('```')) expect(found.length).toBeLessThan(2);
  expect((reason.match(/test\/[\w/.-]+\.ts/g) ?? []).filter((file) => !existsSync(file))).toEqual([]);
});
