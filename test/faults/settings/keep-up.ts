import { isDeepStrictEqual } from 'node:util';
import { renormaliseRow } from '../../../cli/renormalise/renormalise-row.ts';
import { dynamoVersionedRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import type { MemoryWorld } from '../../deployment/world.ts';
import { awsClients } from '../../support/aws-clients.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { revisionProblems } from '../guarantees.ts';
import { log, must } from '../property.ts';
import {
  asRead,
  mustBeReadAsReceived,
  mustHaveTheSameCalls,
  mustNotDependOnOrder,
  nameOf,
  recordsIn,
  retentionDays,
  shown,
} from './checks.ts';
import type { Settings, SettingsHistory } from './history.ts';
import { accountWith, playSettings, playWithout, settingsText } from './play-settings.ts';

/** Each row is derived again by these settings, as `callfeed renormalise` does it. Returns how many rows were written. */
const renormalise = async (world: MemoryWorld, settings: Settings): Promise<number> => {
  const { dynamodb } = awsClients((service) => world.services[service]);
  const derive = renormaliseRow({
    rows: dynamoVersionedRows(dynamodb, 'calls'),
    clock: world.now,
    retentionDays,
    isDryRun: false,
  });
  let written = 0;
  for (const row of recordsIn(world).values())
    written += Number((await derive(row, accountWith(settings), generousDeadline())).isWritten);
  return written;
};

/** The forms follow from the country too, and are no change that is published. */
const withoutE164 = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (name, part) => (name.endsWith('E164') ? undefined : part)));

/** Each change was published, in order, and readers of the bus know what the table has. */
const mustBePublished = async (world: MemoryWorld): Promise<void> => {
  const publisher = world.start();
  for (const shard of world.streams.waiting()) await world.streams.deliver(shard, 1_000, publisher.publish);
  const problems = revisionProblems(
    withoutE164(world.rows('calls')),
    withoutE164(world.events().map(({ detail }) => detail)),
  );
  must(problems.length === 0, () => problems.join('\n'));
};

const logRows = (world: MemoryWorld): void => {
  for (const [name, row] of recordsIn(world)) {
    const { timeZone, startedAt, customerNumberE164: e164, participantNumberE164 = e164, revision } = row;
    log(() => `    ${name}: revision ${revision}, ${startedAt} in ${timeZone}, ${participantNumberE164}`);
  }
};

/**
 * Before somebody renormalises, each delivery is read by the settings at its receipt, and a row follows from its deliveries. Afterwards
 * the calls are those of an account that has had the last settings from the beginning, to the letter and to every reader.
 */
export const keepsUpWithItsAccount = async (history: SettingsHistory) => {
  const played = await playSettings(history);
  const { world, arrivals, last } = played;
  logRows(world);
  const rows = [...recordsIn(world).values()];
  for (const row of rows) mustBeReadAsReceived(row, played);
  for (const row of rows) mustNotDependOnOrder(row, 7);
  await mustBePublished(world);

  const written = await renormalise(world, last);
  log(() => ({
    at: world.now().toISOString(),
    what: 'renormalise',
    by: settingsText(last),
    became: `${written} of ${rows.length} rows written`,
  }));
  logRows(world);
  await mustBePublished(world);
  const expected = await playWithout(last, arrivals);
  mustHaveTheSameCalls(world, expected);
  const read = asRead(world, last);
  const wanted = asRead(expected, last);
  must(isDeepStrictEqual(read, wanted), () => `Readers get ${shown(read)}, and should get ${shown(wanted)}`);
  must((await renormalise(world, last)) === 0, () => 'renormalise writes rows again');

  const revised = [...recordsIn(world).values()].filter((row, index) => row['revision'] !== rows[index]?.['revision']);
  return {
    calls: rows.length,
    'rows that renormalise revised': revised.length,
    'rows with deliveries of different settings': rows.filter(isOfSeveralSettings).length,
    'rows of the call report': rows.filter(({ source }) => source === 'report').length,
    participants: rows.filter((row) => nameOf(row).startsWith('participant')).length,
  };
};

const isOfSeveralSettings = ({ deliveries }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(deliveries) && new Set(deliveries.map(({ country }) => country)).size > 1;
