import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path, { join } from 'node:path';
import { root } from './process-tree.ts';

/** A command of a page, and what the page shows below it as comments: what it prints. */
interface Command {
  readonly text: string;
  readonly shown: readonly string[];
}

/** A block of shell commands of a page. */
export interface Block {
  readonly page: string;
  readonly commands: readonly Command[];
}

const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'];

/** Every page, new ones too. */
export const pages: readonly string[] = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/^\.(?:changeset|github)\//.test(file) && existsSync(join(root, file)));

/** A block of code of a page. */
export interface Snippet {
  readonly page: string;
  /** As after its fence: empty for a drawing. */
  readonly language: string;
  /** Its lines, without the indentation that they have in a list. */
  readonly text: string;
}

/** The blocks of code of a page, in their order. */
export const snippetsOf = (page: string): readonly Snippet[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^( *)```(\S*)\n(.*?)^ *```/gms)].map(
    ([, indent = '', language = '', block = '']) => ({
      page,
      language,
      text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );

/** Whether it has commands for a shell. */
export const isShell = ({ language }: Snippet): boolean => ['sh', 'bash', 'shell', 'console', 'zsh'].includes(language);

/** A command goes on in the next line after one of these, and within quotes. */
const goesOn = (text: string): boolean => {
  const quotes = text.replaceAll(/"(?:\\.|[^"\\])*"/gs, '').match(/'/g) ?? [];
  return /(?:\\|\||&&)$/.test(text.trimEnd()) || quotes.length % 2 === 1;
};

/** The commands of a block. A line that is a comment shows what the command above it prints. */
const commandsIn = (block: string): readonly Command[] => {
  const commands: { text: string; shown: string[] }[] = [];
  for (const line of block.split('\n').filter((text) => text.trim() !== '')) {
    const last = commands.at(-1);
    if (last !== undefined && goesOn(last.text)) last.text += `\n${line}`;
    else if (line.startsWith('# ')) last?.shown.push(line.slice(2));
    else commands.push({ text: line.replace(/ {2,}# .*/, ''), shown: [] });
  }
  return commands;
};

/** The blocks of shell commands of a page. */
export const blocksOf = (page: string): readonly Block[] =>
  snippetsOf(page)
    .filter(isShell)
    .map(({ text }) => ({ page, commands: commandsIn(text) }));

/** The headings of the tables that a page shows as printed, each as its columns. */
export const headingsOn = (page: string): readonly (readonly string[])[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => /^[A-Z][A-Z0-9 ,]*(?: {2,}[A-Z0-9 ,]+)+$/.test(line))
    .map((line) => line.trim().split(/ {2,}/));

/** A source file, by its path from the root's root. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** The source files of the given top-level folders; a folder that does not exist yet has none. */
export const sourceFiles = (...folders: readonly string[]): readonly SourceFile[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules'] }))
    .map((file) => ({ file: file.split(path.sep).join('/'), text: readFileSync(path.join(root, file), 'utf8') }));

/** The text without comments, so that prose may name what code may not. */
export const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** What a file imports: a path from the root, or a package's name. Types count too: they are knowledge of the other. */
export const importsOf = ({ file, text }: SourceFile): readonly string[] =>
  [...codeOf(text).matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)['"`]([^'"`]+)['"`]/g)].map(([, target = '']) =>
    target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target,
  );

/** Whether an import goes to a package rather than to a file of ours. */
export const isPackage = (target: string): boolean => !/\.tsx?$/.test(target);
