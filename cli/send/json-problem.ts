import { answers } from '../../lib/callback/refusal.ts';
import { parseJson } from '../../lib/json/parse-json.ts';

/** What is wrong with a text that should be a callback's JSON, and where, without repeating anything of it. */
export const jsonProblem = (text: string): string | undefined => {
  if (text.trim() === '') return answers['data-empty'].message;
  const json = parseJson(text);
  return json.ok ? undefined : `${answers[json.problem].message}${placeOf(text)}`;
};

const placeOf = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
    if (line !== undefined) return ` It breaks at line ${line}, column ${column}.`;
    return /end of JSON/.test(message) ? ' It ends too early.' : '';
  }
};
