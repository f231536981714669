/** In place of the SDK's `node:fs/promises`: prints the path of each file that the SDK tries to read. */
export const readFile = async (path: string): Promise<never> => {
  process.stdout.write(`The SDK reads ${path}\n`);
  throw new Error('There is no such file');
};
