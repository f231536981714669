import { dollarFigure, figure, markdownTable, type Table } from '../part.ts';
import type { Report } from './count-all.ts';
import type { Counts } from './counts.ts';
import type { Deployed } from './deployed.ts';
import {
  addQuantities,
  dollarsFor,
  dollarsOf,
  fixedOf,
  infrequentPaysAfterDays,
  type Month,
  ofCallsTable,
  pricedIn,
  quantitiesOf,
} from './month.ts';
import {
  milliseconds,
  priceList,
  prices,
  type Quantities,
  queuePolling,
  receipts,
  scenario,
  secretReaders,
  servedByAnother,
  traced,
} from './prices.ts';

const percent = (share: number): string => `${100 * share} %`;

/** The assumptions behind the figures of a month, besides the counts. */
const listAssumptions = ({ calls, deployed }: Report): readonly string[] => {
  const { deliveries, revisedShare, transferredShare, participants, openHoursADay, changedShare } = scenario;
  const { metrics, alarmMetrics, dashboards, secrets } = fixedOf(deployed);
  return [
    `List prices of ${priceList.region} on ${priceList.date}, without free tiers.`,
    `Every callback comes ${deliveries} times. ${percent(revisedShare)} of the calls are revised, ` +
      `${percent(transferredShare)} have two agents, and there are ${participants || 'no'} participant records.`,
    `${openHoursADay} hours a day, ${scenario.daysAMonth} days a month, ${percent(changedShare)} of the agents have ` +
      'changed at every poll, and none at the others.',
    `Tables are full: rows expire as fast as they come. So are the archive (${deployed.archiveDays} days) and the logs ` +
      `(${deployed.logDays} days).`,
    `Functions have ${deployed.memoryMegabytes} MB, and take ${milliseconds.run} ms a run, ` +
      `${milliseconds.dynamodbCall} ms for each call of DynamoDB, ${milliseconds.busCall} ms of EventBridge and ` +
      `${milliseconds.serviceCall} ms of getAgentLogins.`,
    `${percent(servedByAnother)} of the polls are made by another process than the one before.`,
    `The latest callback of an account is written by ${receipts.publishers} processes and read by ${receipts.pollers}, ` +
      'each once a minute.',
    ...(deployed.isInfrequent
      ? [
          'The Calls table has the class for infrequent access. By these counts that is cheaper if calls are stored for more ' +
            `than ${Math.ceil(infrequentPaysAfterDays(calls, deployed))} days.`,
        ]
      : []),
    ...(deployed.isTraced
      ? [
          `X-Ray records ${traced.aSecond} run of a function a second, and ${percent(traced.shareOfOthers)} of the others.`,
        ]
      : []),
    `Fixed are ${metrics} metrics, as if each were written in every hour, ${alarmMetrics} metrics under alarms, ` +
      `${dashboards || 'no'} dashboard, ${secrets} secret that ${secretReaders.processes} processes read, and ` +
      `${deployed.servedQueues} queues into which Lambda looks ${queuePolling.pollers} times every ` +
      `${queuePolling.secondsAPoll} seconds.`,
    `Left out are data transfer, alarms by mail, what subscribers do, and whatever fails. A key of your own is ` +
      `$${prices.keys.dollars} more, and its requests.`,
  ];
};

const monthTable = ({ months }: Report): Table => {
  const row = (name: string, dollars: (month: Month) => number) => [
    name,
    ...months.map(({ month }) => dollarFigure(dollars(month))),
  ];
  return {
    head: [
      '$ a month',
      ...months.map(({ volume }) => `${figure(volume.callsADay)} calls a day, ${volume.agents} agents`),
    ],
    rows: [
      ...servicesIn(months).map((service) => row(service, (month) => dollarsAt(service, allOf(month)))),
      row('total', (month) => dollarsOf(allOf(month))),
      row('of it for calls', ({ calls }) => dollarsOf(calls)),
      row('of it for agents', ({ agents }) => dollarsOf(agents)),
      row('of it fixed', ({ fixed }) => dollarsOf(fixed)),
    ],
  };
};

const servicesIn = (months: Report['months']): readonly string[] => {
  const all = addQuantities(...months.map(({ month }) => allOf(month)));
  const used = pricedIn(all).filter((name) => all[name] !== 0);
  return [...new Set(used.map((name) => prices[name].service))];
};

const allOf = ({ calls, agents, fixed }: Month): Quantities => addQuantities(calls, agents, fixed);

const dollarsAt = (service: string, quantities: Quantities): number =>
  pricedIn(quantities)
    .filter((name) => prices[name].service === service)
    .reduce((dollars, name) => dollars + dollarsFor(name, quantities[name]), 0);

export const priceTable = (): string =>
  markdownTable({
    head: ['Price of', '$', 'for', 'unit', 'AWS page', 'found again'],
    rows: Object.values(prices).map(({ service, dollars, per, unit, page, checked }) => [
      ...[service, String(dollars), figure(per), unit, page],
      checked ? 'yes' : 'unchecked',
    ]),
  });

const head = [
  ...['Work', 'Write units', 'of them of indexes', 'Read units', 'Events', 'Bytes of events', 'Bytes in tables'],
  ...['Bytes of log', 'Function runs', '$ a million'],
];

const workTable = ({ calls, polls, deployed }: Report): Table => {
  const largest = polls.at(-1);
  if (largest === undefined) throw new Error('No polls were counted');
  const { agents, unchanged, changed, byAnother, taken } = largest;

  const ofCalls: readonly Work[] = [
    ['new call', calls.first],
    ['new call of two agents', calls.transferred],
    ['new call, more than an hour after its start', calls.late],
    ['repeat of a callback', calls.repeat],
    ['revision of a call', calls.revision],
    ['participant, with its call', calls.participant],
  ];
  const ofAgents: readonly Work[] = [
    [`poll of ${agents} agents, unchanged`, unchanged],
    [`poll of ${agents} agents, unchanged, other process`, byAnother],
    ...[...changed].map(([count, counts]) => [`poll of ${agents} agents, ${count} changed`, counts] as const),
    ['second tick of a slot', taken],
  ];
  return {
    head,
    rows: [
      ...ofCalls.map(([name, counts]) => [name, ...cellsOf(counts, deployed, ofCallsTable)]),
      ...ofAgents.map(([name, counts]) => [name, ...cellsOf(counts, deployed)]),
    ],
  };
};

type Work = readonly [name: string, counts: Counts];

const cellsOf = (
  counts: Counts,
  deployed: Deployed,
  inTable: typeof ofCallsTable = (quantities) => quantities,
): readonly string[] => [
  figure(counts.tableWriteUnits + counts.indexWriteUnits),
  figure(counts.indexWriteUnits),
  figure(counts.readUnits),
  figure(counts.events),
  figure(counts.eventBytes),
  figure(counts.tableBytes + counts.indexBytes),
  figure(counts.logBytes),
  figure(counts.receiverRuns + counts.publisherRuns + counts.pollerRuns),
  dollarFigure(1_000_000 * dollarsOf(inTable(quantitiesOf(counts, deployed), deployed))),
];

const aboutWork = 'What one piece of work takes; the dollars are without storage and traces:';
const aboutMonths = 'What a month costs, in dollars:';
const aboutAssumptions = 'These figures come from what was counted, and from these assumptions:';

const listOf = (sentences: readonly string[]): string => sentences.map((sentence) => `- ${sentence}`).join('\n');

/** The generated part of docs/cost.md. */
export const markdownReport = (report: Report): string =>
  [
    aboutWork,
    markdownTable(workTable(report)),
    aboutMonths,
    markdownTable(monthTable(report)),
    aboutAssumptions,
    listOf(listAssumptions(report)),
  ].join('\n\n');
