import * as z from 'zod';
import { readKept, writeKept } from '../disk/kept-json.ts';
import { Message } from './message.ts';
import { createQueue, type Queue, type QueueOptions } from './queue.ts';

/** A queue whose messages are kept in `file` as well, where one is given, so that they are there after a restart. */
export const keptQueue = (options: Omit<QueueOptions, 'messages' | 'onChange'>, file: string | undefined): Queue => {
  const messages = readKept(file, z.array(Message)) ?? [];
  const queue: Queue = createQueue({ ...options, messages, onChange: () => writeKept(file, queue.messages()) });

  return queue;
};
