import { readings } from './escapes.ts';

/** The secrets that can be read out of a text, as they are or in the escapes of JSON and of forms. */
export const leaked = (text: string, secrets: readonly string[]): readonly string[] => {
  const all = readings(text);
  return secrets.filter((secret) => all.some((reading) => reading.includes(secret)));
};
