import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { damaged, writeJsonFile } from '../frame/data-folder.ts';
import { Message, MessageChange } from './queue.ts';

const Journal = z.tuple([z.array(Message)], MessageChange);

/** After this many changes the file is rewritten, so that it does not grow forever. */
const maxChanges = 5_000;

/** Each change is appended: rewriting the file for each would make a queue slower the fuller it is. */
export const messageJournal = (file: string) => {
  // An incomplete last line was never acknowledged.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : ['[]'];
  const stored = Journal.safeParse(lines.map((line) => tryParseJson(line)));
  if (!stored.success) throw damaged(file);
  const [first, ...later] = stored.data;
  const messages = new Map(first.map((message) => [message.id, message]));
  let changes = 0;
  const apply = (change: MessageChange): void => {
    if ('put' in change) messages.set(change.put.id, change.put);
    else messages.delete(change.removed);
  };
  const writeAll = (): void => {
    writeJsonFile(file, [...messages.values()]);
    changes = 0;
  };
  for (const change of later) apply(change);
  writeAll();

  return {
    messages: [...messages.values()],
    onChange(change: MessageChange) {
      apply(change);
      appendFileSync(file, `${JSON.stringify(change)}\n`);
      changes += 1;
      if (changes >= maxChanges) writeAll();
    },
  };
};
