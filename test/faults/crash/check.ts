import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { factsOf } from '../../../lib/calls/call-row.ts';
import { eventSchemasFor } from '../../../lib/contract/events.ts';
import type { Envelope } from '../../../sandbox/bus/event-log.ts';
import { publishedEvents } from '../../support/agent-history.ts';
import { checkAgents } from './check-agents.ts';
import { checkCalls, recordLines } from './check-calls.ts';
import type { FinalState } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

const schemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(eventSchemasFor('keep')));

const idOf = ({ detail }: Envelope): string => String(detail['id']);

/** Every change is told, under one id, and nothing else is; a repeat is a repeat, and only where it could not be helped. */
const checkEvents = async (ending: FinalState): Promise<readonly string[]> => {
  const { events, changes, repeatsExplained } = ending;
  const told = Map.groupBy(events, idOf);
  const wanted = new Set((await publishedEvents(changes)).map(({ detail }) => detail.id));
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
const checkRevisions = ({ rows, events }: FinalState): readonly string[] =>
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

/** What an ending breaks of the guarantees, compared with that of the same story without a fault. */
export const check = async (
  scenario: Scenario,
  ending: FinalState,
  undisturbed: FinalState,
): Promise<readonly string[]> => {
  const { deadLetters = 0 } = scenario;
  return [
    ...checkCalls(ending, undisturbed),
    ...(await checkEvents(ending)),
    ...(await checkAgents(ending, undisturbed)),
    ...ending.leaks.map((leak) => `a key is in ${leak}`),
    ...ending.parked.map((body) => `a message is left in the parking queue: ${body}`),
    ...(distinct(ending.deadLetters) === deadLetters ? [] : [`dead letters: ${ending.deadLetters}`]),
    ...(ending === undisturbed ? checkUndisturbed(scenario, ending) : []),
  ];
};

/** What others are compared with has to be right itself. */
const checkUndisturbed = ({ statuses, records }: Scenario, ending: FinalState): readonly string[] => [
  ...differs('posts are answered', statuses, ending.statuses),
  ...differs('the records are', records, recordLines(ending.rows.calls)),
];

const differs = (what: string, wanted: readonly unknown[] | undefined, found: readonly unknown[]): readonly string[] =>
  wanted === undefined || isDeepStrictEqual(found, wanted) ? [] : [`${what} ${found}, not ${wanted}`];

/** How many things are told by messages: one that was parked twice, as nobody knew that it was, says the same twice. */
const distinct = (bodies: readonly string[]): number =>
  new Set(bodies.map((body) => body.replace(/"receivedAt":"[^"]*"/, ''))).size;
