import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A source file, by its path from the repository's root. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const root = path.resolve(import.meta.dirname, '../..');

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
