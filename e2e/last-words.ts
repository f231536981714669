import { clientsAt } from './cloud/clients.ts';
import { logLines } from './cloud/log-lines.ts';
import type { Ministack } from './ministack/start-ministack.ts';

const shown = { lines: 20, characters: 300 };

const section = (title: string, lines: readonly string[]): string => {
  const last = lines.slice(-shown.lines).map((line) => line.slice(0, shown.characters));
  return `\n${title}:\n${last.join('\n')}\n`;
};

/** Lambda's own lines, metrics, and warnings about the program in which MiniStack runs functions say nothing of a failure. */
const isTelling = (line: string): boolean => !/^(?:START|END|REPORT) |^\{"_aws"|^\((?:node:|Use `node)/.test(line);

/** What was written at last, for whoever has to find out why something does not hold. */
export const lastWords = async ({ endpoint, log }: Ministack): Promise<string> => {
  // There may be no functions yet, or no emulator any more.
  const ofFunctions = await logLines({ clients: clientsAt(endpoint) }).catch(() => []);

  return (
    section('MiniStack wrote at last', log().filter(isTelling)) +
    section('The functions wrote at last', ofFunctions.filter(isTelling))
  );
};
