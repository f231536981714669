/** In place of `node:fs/promises` for the SDK: tells of each file for which it looks. */
export const readFile = async (path: string): Promise<never> => {
  process.stdout.write(`The SDK reads ${path}\n`);
  throw new Error('There is no such file');
};
