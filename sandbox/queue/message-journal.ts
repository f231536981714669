import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import { writeKept } from '../disk/kept-json.ts';
import { Message } from './message.ts';

/** What becomes of a message: it is there, as it is from now on, or it is gone. */
export const MessageChange = z.union([z.object({ put: Message }), z.object({ removed: z.string() })]);
export type MessageChange = z.infer<typeof MessageChange>;

/** The messages of earlier runs, and where the changes of this one are kept. */
export interface MessageJournal {
  readonly messages: readonly Message[];
  /** Is on the disk when it returns. */
  readonly append: (change: MessageChange) => void;
}

/** How many changes make it worth writing all that is there anew. */
const mostChanges = 5_000;

const applied = (messages: Map<string, Message>, change: MessageChange): void => {
  if ('put' in change) messages.set(change.put.id, change.put);
  else messages.delete(change.removed);
};

/** The first line is a list of messages, each other one a change. What is torn at the end never was answered. */
const messagesIn = (text: string): Map<string, Message> => {
  const [first = '', ...lines] = text.split('\n');
  const messages = new Map(
    z
      .array(Message)
      .parse(parsed(first))
      .map((message) => [message.id, message]),
  );
  for (const line of lines.slice(0, -1)) applied(messages, MessageChange.parse(parsed(line)));
  return messages;
};

const messagesKept = (file: string): Map<string, Message> => {
  if (!existsSync(file)) return new Map();
  try {
    return messagesIn(readFileSync(file, 'utf8'));
  } catch (cause) {
    const what = `${file} does not hold what the sandbox keeps there.`;
    throw new Error(`${what} Remove it, or choose another --data folder.`, { cause });
  }
};

/**
 * Keeps messages in a file to which each change is added, as to write all of them at each change would take the longer
 * the more there are: a queue that fills up must not become slow by it. Throws, naming the file, when it is another's.
 */
export const messageJournal = (file: string): MessageJournal => {
  const messages = messagesKept(file);
  let changes = 0;
  const writeAll = (): void => {
    writeKept(file, [...messages.values()]);
    changes = 0;
  };
  writeAll();

  return {
    messages: [...messages.values()],
    append(change) {
      applied(messages, change);
      appendFileSync(file, `${JSON.stringify(change)}\n`);
      changes += 1;
      if (changes >= mostChanges) writeAll();
    },
  };
};
