import { type EventType, eventSchemasFor } from '../../lib/contract/event-schemas.ts';
import { replayableTypes } from '../../lib/replay/replayable.ts';
import { Problem } from '../problem.ts';

const all = Object.values(replayableTypes).flat();
const isEventType = (type: string): type is EventType => Object.hasOwn(eventSchemasFor('keep'), type);

/** Types that can be told again by rows, as they were typed; `fromArchive` is how to get the others. */
export const typesFrom = (typed: readonly string[], fromArchive: () => string): readonly string[] => {
  const unknown = typed.find((type) => !isEventType(type));
  if (unknown !== undefined) throw new Problem(`--type: there is no event “${unknown}”; there is ${quoted(all)}.`, 2);

  const moment = typed.find((type) => !all.some((one) => one === type));
  if (moment === undefined) return typed;
  throw new Problem(
    `“${moment}” tells of a moment, of which no row is kept. Whatever was published then: ${fromArchive()}`,
    2,
  );
};

const quoted = (types: readonly string[]): string => types.map((type) => `“${type}”`).join(', ');
