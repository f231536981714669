import { readFile } from 'node:fs/promises';
import { printable } from '../output/printable.ts';
import { Problem } from '../problem.ts';
import { jsonProblem } from './json-problem.ts';

/** Where a callback is, and whether it is sent whatever it is. */
export interface Asked {
  readonly file: string;
  readonly asIs: boolean;
}

const notReadable: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

/** What a file holds, or the standard input for `-`, without a byte-order mark. */
export const callbackText = async ({ file, asIs }: Asked, readInput: () => Promise<Buffer>): Promise<string> => {
  const name = file === '-' ? 'The standard input' : printable(file);
  const bytes = await (file === '-' ? readInput() : readFile(file)).catch((error: NodeJS.ErrnoException) => {
    throw new Problem(`${name} cannot be read: ${notReadable[error.code ?? ''] ?? error.code}.`, 2);
  });
  const text = utf8Of(bytes);
  if (text === undefined) throw new Problem(`${name} is not UTF-8, as which it would be sent.`, 2);
  const problem = jsonProblem(text);
  if (problem !== undefined && !asIs) throw new Problem(`${name}: ${problem} --as-is sends it anyway.`, 2);
  return text;
};

const utf8Of = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
