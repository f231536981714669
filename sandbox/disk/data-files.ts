import { join } from 'node:path';

/** What is kept between runs, and where; all undefined when nothing is. */
export interface DataFiles {
  readonly dynamodb: string | undefined;
  readonly events: string | undefined;
  readonly checkpoints: string | undefined;
  readonly agentCheckpoints: string | undefined;
  readonly parking: string | undefined;
  readonly deadLetters: string | undefined;
}

/** The files under the folder given with --data. */
export const dataFiles = (folder: string | undefined): DataFiles => {
  const file = (name: string): string | undefined => (folder === undefined ? undefined : join(folder, name));

  return {
    dynamodb: file('dynamodb'),
    events: file('events.ndjson'),
    checkpoints: file('stream-checkpoints.json'),
    agentCheckpoints: file('agents-stream-checkpoints.json'),
    parking: file('parking.json'),
    deadLetters: file('dead-letters.json'),
  };
};
