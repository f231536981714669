import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { eventSchemasFor } from '../../../lib/contract/event-schemas.ts';
import { factsOf } from '../../../lib/record/row.ts';
import type { Envelope } from '../../../sandbox/bus/envelope.ts';
import { eventsIn } from '../../../test/lib/support/agent-history.ts';
import type { Ending } from '../ending.ts';

const schemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(eventSchemasFor('keep')));

const idOf = ({ detail }: Envelope): string => String(detail['id']);

/** Every change is told, under one id, and nothing else is; a repeat is a repeat, and only where it could not be helped. */
export const checkEvents = async (ending: Ending): Promise<readonly string[]> => {
  const { events, changes, repeatsExplained } = ending;
  const told = Map.groupBy(events, idOf);
  const wanted = new Set((await eventsIn(changes)).map(({ detail }) => detail.id));
  const repeated = [...told.values()].filter((all) => all.length > 1);
  return [
    ...[...wanted].filter((id) => !told.has(id)).map((id) => `the event ${id} never reached the bus`),
    ...[...told.keys()].filter((id) => !wanted.has(id)).map((id) => `the event ${id} is of no change`),
    ...repeated
      .filter((all) => !all.every(({ detail }) => isDeepStrictEqual(detail, all[0]?.detail)))
      .map(([first]) => `the event ${first?.detail['id']} came again with another content`),
    ...(repeatsExplained
      ? []
      : repeated.map(([first]) => `an event came twice for no reason: ${JSON.stringify(first)}`)),
    ...events.flatMap(breachOf),
    ...checkRevisions(ending),
  ];
};

const breachOf = (event: Envelope): readonly string[] => {
  const parsed = schemas.get(event['detail-type'])?.safeParse(event.detail);
  return parsed?.success ? [] : [`an event breaks its contract: ${JSON.stringify(event)}`];
};

/** A record's events are its revisions 1 to the last, in order, and the last one says what the row says. */
const checkRevisions = ({ rows, events }: Ending): readonly string[] =>
  rows.calls
    .filter(({ kind }) => kind === 'call' || kind === 'participant')
    .flatMap((row) => {
      const { callId, leg, participantId, kind, revision } = row;
      const own = events.filter(
        ({ detail }) =>
          detail['callId'] === callId && detail['leg'] === leg && detail['participantId'] === participantId,
      );
      const seen = [...new Map(own.map((event) => [idOf(event), event.detail])).values()];
      const revisions = seen.map((detail) => Number(detail['revision']));
      const isWhole = isDeepStrictEqual(
        revisions,
        Array.from({ length: Number(revision) }, (_, index) => index + 1),
      );
      if (!isWhole)
        return [`the events of ${callId} ${leg ?? participantId} are of revisions ${revisions}, not 1 to ${revision}`];

      const said = Object(seen.at(-1)?.[String(kind)]);
      const isSaid = Object.entries(factsOf(row)).every(([field, value]) => isDeepStrictEqual(said[field], value));
      return isSaid ? [] : [`the last event of ${callId} says something else than its row`];
    });
