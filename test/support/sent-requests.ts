import { codeOf, sourceFiles } from './repository-files.ts';

/** What packages of AWS send for a name that is imported from them, where that is not the command's own name. */
const ofOthers: Readonly<Record<string, readonly string[]>> = {
  Upload: ['PutObject', 'CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'],
};

/** A command is made, a pager called. */
const sentFor = (name: string): readonly string[] => {
  const [, operation] = /^(?:paginate(\w+)|(\w+)Command)$/.exec(name)?.filter((group) => group !== undefined) ?? [];
  return ofOthers[name] ?? (operation === undefined ? [] : [operation]);
};

const imports = /\bimport\s+(?!type\b)([^;]*?)\s+from\s+'@aws-sdk\/[^']+'/g;

/** The values that a file imports from packages of AWS. */
const importedFromAws = (text: string): readonly string[] =>
  [...codeOf(text).matchAll(imports)].flatMap(([, clause = '']) => {
    const [, list] = /^\{([^}]*)\}$/.exec(clause) ?? [];
    if (list === undefined) throw new Error(`“import ${clause}” hides what is sent to AWS: name each command`);
    return list.split(',').flatMap((one) => /^(?!type\b)\w+/.exec(one.trim())?.[0] ?? []);
  });

/** The requests to AWS that the code of these folders can send, by their operations: read from what it imports. */
export const sentBy = (...folders: readonly string[]): readonly string[] => {
  const names = sourceFiles(...folders).flatMap(({ text }) => importedFromAws(text));
  return [...new Set(names.flatMap(sentFor))].toSorted();
};
