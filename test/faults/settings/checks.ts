import { isDeepStrictEqual } from 'node:util';
import { recordOf, rowOf } from '../../../lib/calls/call-row.ts';
import { applyDeliveries } from '../../../lib/calls/record-delivery.ts';
import { type CallOfCustomer, missedCallJudge, waitingCallers } from '../../../lib/contract/missed-callers.ts';
import { localDate } from '../../../lib/core/time.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';
import type { MemoryWorld } from '../../deployment/world.ts';
import { must } from '../property.ts';
import type { Settings } from './history.ts';
import type { PlayedSettings } from './play-settings.ts';

export const shown = (value: unknown): string => JSON.stringify(value);

export const nameOf = ({ kind, callId, participantId = '' }: Row): string =>
  `${kind} ${callId} ${participantId}`.trim();

/** The rows of calls and participants, by name. */
export const recordsIn = (world: MemoryWorld): ReadonlyMap<string, Row> =>
  new Map(
    world
      .rows('calls')
      .filter(({ kind }) => kind === 'call' || kind === 'participant')
      .map((row) => [nameOf(row), row]),
  );

/** The numbers of the histories in E.164, by country; with a plus it is the same in every one. */
const e164In: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '07700900674': { IN: '+917700900674', GB: '+447700900674' },
  '02079460000': { IN: '+912079460000', GB: '+442079460000', US: '+12079460000' },
};
const countryOfZone: Readonly<Record<string, string>> = {
  'Asia/Kolkata': 'IN',
  'Europe/London': 'GB',
  'America/New_York': 'US',
};
const numberNames = ['customerNumber', 'agentPhoneNumber', 'participantNumber'] as const;

const expectedE164 = (number: unknown, country: string | undefined): string | undefined =>
  String(number).startsWith('+') ? String(number) : e164In[String(number)]?.[country ?? ''];

/** A row and the legs in it. */
const partsOf = (row: Row): readonly Row[] => [row, ...(Array.isArray(row['legs']) ? row['legs'] : [])];

/**
 * While settings change, each delivery is read by those at its first receipt. The row's numbers belong to the country that the
 * account named last, or else to that of the row's own time zone, legs included. Its times have the zone in which they were read.
 */
export const mustBeReadAsReceived = (row: Row, { settingsAt }: Pick<PlayedSettings, 'settingsAt'>): void => {
  const { deliveries } = recordOf(row);
  for (const { receivedAt, country, facts } of deliveries) {
    const settings = settingsAt(receivedAt);
    const read = { timeZone: facts['timeZone'], country };
    must(
      settings !== undefined && isDeepStrictEqual(read, { timeZone: settings.timeZone, country: settings.country }),
      () => `${nameOf(row)}: what was received at ${receivedAt} is read by ${shown(read)}, not by ${shown(settings)}`,
    );
  }

  const named = deliveries.flatMap(({ country }) => country ?? []).at(-1);
  const country = named ?? countryOfZone[String(row['timeZone'])];
  for (const part of partsOf(row))
    for (const name of numberNames) {
      const expected = expectedE164(part[name], country);
      must(
        part[`${name}E164`] === expected,
        () => `${nameOf(row)}: ${name} ${part[name]} of ${country} is ${part[`${name}E164`]}, not ${expected}`,
      );
    }

  for (const part of partsOf(row)) mustHaveItsZone(part, row, deliveries);
};

const timeNames = ['startedAt', 'pickedUpAt', 'endedAt', 'approximateAt'] as const;

/** The first time that it has and its zone are of one delivery: in any other zone the time would not be what was sent. */
const mustHaveItsZone = (part: Row, row: Row, deliveries: ReturnType<typeof recordOf>['deliveries']): void => {
  const name = timeNames.find((one) => part[one] !== undefined);
  if (name === undefined) return;
  must(
    deliveries.some(({ facts }) => facts[name] === part[name] && facts['timeZone'] === part['timeZone']),
    () => `${nameOf(row)}: no delivery has ${name} ${part[name]} in ${part['timeZone']}`,
  );
};

/** What a row says of its writing, which depends on when it was written and in how many steps. */
const ofWriting = ['revision', 'version', 'recordedAt', 'firstRecordedAt', 'lateCalls', 'lastChange'];

/** As the table has it, which knows no undefined. */
const withoutWriting = (row: Row): Row =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !ofWriting.includes(name)))));

/** As deployed by default. */
export const retentionDays = 730;

/** A row depends on its deliveries and on when each was received, in whichever order they were stored. */
export const mustNotDependOnOrder = (row: Row, seed: number): void => {
  const { key, deliveries } = recordOf(row);
  const at = String(row['recordedAt']);
  const [first, ...others] = shuffled(seededRandom(seed), deliveries);
  if (first === undefined || deliveries.some(({ source }) => source !== undefined)) return;
  const again = others.reduce(
    (record, delivery) => applyDeliveries(key, record, [delivery], at).record,
    applyDeliveries(key, undefined, [first], at).record,
  );
  mustBeSame(nameOf(row), withoutWriting(row), withoutWriting(rowOf(again, retentionDays)), 'in another order');
};

const mustBeSame = (name: string, found: Row, expected: Row, where: string): void => {
  for (const field of new Set([...Object.keys(found), ...Object.keys(expected)]))
    must(
      isDeepStrictEqual(found[field], expected[field]),
      () => `${name}: ${field} is ${shown(found[field])}, and ${where} ${shown(expected[field])}`,
    );
};

/** Both tables have the same calls, with the same facts, forms and places in lists. */
export const mustHaveTheSameCalls = (found: MemoryWorld, expected: MemoryWorld): void => {
  const rows = recordsIn(found);
  const others = recordsIn(expected);
  const where = 'with the last settings from the beginning';
  for (const name of new Set([...rows.keys(), ...others.keys()]))
    mustBeSame(name, ...comparable(rows.get(name), others.get(name)), where);
};

/** What a record of the report may add that is too little to store it for, and what shows that it was stored. */
const isOfIdleReport = (name: string): boolean =>
  name.endsWith('Seconds') || ['deliveries', 'lastReceivedAt', 'extra', 'notes'].includes(name);

/**
 * A record of the report that adds nothing is dropped when it is read. In two time zones it may add something, and then stays after
 * the correction: it decides nothing but what is too little to store it for.
 */
const comparable = (found: Row = {}, expected: Row = {}): readonly [Row, Row] => {
  const hasReport = [found, expected].some((row) => JSON.stringify(row['deliveries'] ?? []).includes('"source"'));
  const compared = (row: Row): Row =>
    Object.fromEntries(Object.entries(withoutWriting(row)).filter(([name]) => !(hasReport && isOfIdleReport(name))));
  return [compared(found), compared(expected)];
};

/** What readers make of an account's calls: on which day each took place, what became of missed ones, and who waits. */
export const asRead = (world: MemoryWorld, { timeZone, country = countryOfZone[timeZone] }: Settings) => {
  const calls: readonly CallOfCustomer[] = world.rows('calls').filter(({ kind }) => kind === 'call') as never;
  const missed = missedCallJudge(calls, { country })();
  return {
    days: calls.map(({ callId, listedAt }) => [callId, localDate(listedAt, timeZone)]).sort(),
    missed: missed.map(({ call: { callId }, ...state }) => ({ callId, ...state })),
    waiting: waitingCallers(missed, '2026-11-30T00:00:00.000Z'),
  };
};
