import * as z from 'zod';
import type { FaultBoard } from '../faults/fault-board.ts';
import { faulty } from '../faults/faulty.ts';
import { type AwsJson, awsJson, failure, operation, result } from '../http/aws-json.ts';
import type { Handle } from '../http/serve.ts';
import type { Envelope } from './envelope.ts';
import { accept, type EntryProblem, entryBytes, limitBytes, PutEventsEntry } from './put-events.ts';

const eventBridge: AwsJson = { version: '1.1', service: 'AWSEvents', namespace: 'com.amazonaws.events' };
const refuse = (message: string) => failure(eventBridge, 400, 'ValidationException', message);

const throttled: EntryProblem = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
const error = failure(eventBridge, 500, 'InternalException', 'An internal error occurred.');

/** The bus, and who is told what it took. */
export interface Bus {
  readonly name: string;
  readonly onEvents: (events: readonly Envelope[]) => void;
}

/**
 * Speaks PutEvents for one bus. As on the real one, a request succeeds as a whole while single entries fail; the fault
 * `throttle` is such a failure, and its rate is that of entries.
 */
export const busEndpoint = ({ name, onEvents }: Bus, board: Pick<FaultBoard, 'draw' | 'lifted'>): Handle => {
  const outcomeOf = (entry: PutEventsEntry): Envelope | EntryProblem =>
    board.draw('eventbridge') === 'throttle' ? throttled : accept(entry, name, new Date());

  const putEvents = operation(eventBridge, z.object({ Entries: z.array(PutEventsEntry) }), ({ Entries }) => {
    if (Entries.length < 1 || Entries.length > 10) return refuse('A request must have 1 to 10 entries.');
    const bytes = Entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
    if (bytes > limitBytes) return refuse('Total size of the entries in the request is over the limit.');

    const outcomes = Entries.map(outcomeOf);
    const events = outcomes.flatMap((outcome) => ('id' in outcome ? [outcome] : []));
    if (events.length > 0) onEvents(events);

    return result(eventBridge, {
      FailedEntryCount: outcomes.length - events.length,
      Entries: outcomes.map((outcome) => ('id' in outcome ? { EventId: outcome.id } : outcome)),
    });
  });

  return faulty(board, 'eventbridge', { error }, awsJson(eventBridge, { PutEvents: putEvents }));
};
