import { messageJournal } from './message-journal.ts';
import { createQueue, type Queue, type QueueOptions } from './queue.ts';

/** A queue whose messages are kept in `file` as well, where one is given, so that they are there after a restart. */
export const keptQueue = (options: Omit<QueueOptions, 'messages' | 'onChange'>, file: string | undefined): Queue => {
  if (file === undefined) return createQueue(options);
  const { messages, append } = messageJournal(file);

  return createQueue({ ...options, messages, onChange: append });
};
