import type { Counts } from '../meter/counts.ts';
import { dollarFigure, figure, markdownTable } from '../part.ts';
import { analyticsAssumptions, analyticsTable } from './analytics-costs.ts';
import { lambdaAssumptions, memoryTable } from './lambda.ts';
import { fixedOf, infrequentPaysAfterDays, type Report } from './month.ts';
import { addQuantities, dollarsOf, priced, priceList, prices } from './prices.ts';
import {
  archived,
  archivedQuantities,
  forwarded,
  forwardedQuantities,
  objectMonthDollars,
  ofCallsTable,
  quantitiesOf,
} from './quantities.ts';
import {
  archiving,
  milliseconds,
  queuePolling,
  receipts,
  scenario,
  secretReaders,
  servedByAnother,
  type Volume,
} from './scenario.ts';

const { daysAMonth, openHoursADay } = scenario;

const workTable = ({ calls, polls, deployed }: Report): string => {
  const largest = polls.at(-1);
  if (largest === undefined) throw new Error('No polls were counted');
  const ofPoll = `poll of ${largest.agents} agents`;
  const row = (name: string, counts: Counts, priced = quantitiesOf(counts, deployed)): readonly string[] => [
    name,
    ...[
      counts.tableWriteUnits + counts.indexWriteUnits,
      counts.readUnits,
      counts.events,
      counts.eventBytes,
      counts.tableBytes + counts.indexBytes,
    ].map(figure),
    dollarFigure(1_000_000 * dollarsOf(priced)),
  ];
  const rowOfCalls = (name: string, counts: Counts) =>
    row(name, counts, ofCallsTable(quantitiesOf(counts, deployed), deployed));
  return markdownTable({
    head: ['Work', 'Write units', 'Read units', 'Events', 'Bytes of events', 'Bytes in tables', '$ a million'],
    rows: [
      rowOfCalls('new call', calls.first),
      rowOfCalls('new call of two agents', calls.transferred),
      rowOfCalls('new call, more than an hour after its start', calls.late),
      rowOfCalls('repeat of a callback', calls.repeat),
      rowOfCalls('revision of a call', calls.revision),
      rowOfCalls('participant, with its call', calls.participant),
      row('delivery forwarded to an address', forwarded(calls.first), forwardedQuantities(calls.first, deployed)),
      row('recording of a call archived', archived(calls.first), archivedQuantities(calls.first, deployed)),
      row(`${ofPoll}, unchanged`, largest.unchanged),
      row(`${ofPoll}, unchanged, other process`, largest.byAnother),
      ...[...largest.changed].map(([count, counts]) => row(`${ofPoll}, ${count} changed`, counts)),
      row('second tick of a slot', largest.taken),
    ],
  });
};

const volumeTitle = ({ callsADay, agents }: Volume): string => `${figure(callsADay)} calls a day, ${agents} agents`;

const monthTable = ({ months }: Report): string => {
  const all = months.map(({ month }) => ({ ...month, total: addQuantities(...Object.values(month)) }));
  const row = (name: string, dollars: (month: (typeof all)[number]) => number) => [
    name,
    ...all.map(dollars).map(dollarFigure),
  ];
  const services = new Set(priced.map((name) => prices[name].service));
  const used = [...services].filter((service) => all.some(({ total }) => dollarsOf(total, service) !== 0));
  return markdownTable({
    head: ['$ a month', ...months.map(({ volume }) => volumeTitle(volume))],
    rows: [
      ...used.map((service) => row(service, ({ total }) => dollarsOf(total, service))),
      row('total', ({ total }) => dollarsOf(total)),
      row('of it for calls', ({ calls }) => dollarsOf(calls)),
      row('of it for agents', ({ agents }) => dollarsOf(agents)),
      row('of it fixed', ({ fixed }) => dollarsOf(fixed)),
    ],
  });
};

const percent = (share: number): string => `${100 * share} %`;

/** The assumptions behind the figures of a month, besides the counts. */
const assumptions = ({ calls, deployed }: Report): readonly string[] => {
  const { deliveries, revisedShare, transferredShare, participants, changedShare } = scenario;
  const fixed = fixedOf(deployed);
  return [
    `List prices of ${priceList.region} on ${priceList.date}, without free tiers.`,
    `Every callback comes ${deliveries} times. ${percent(revisedShare)} of the calls are revised, ` +
      `${percent(transferredShare)} have two agents, and there are ${participants || 'no'} participant records.`,
    `${openHoursADay} hours a day, ${daysAMonth} days a month, ${percent(changedShare)} of the agents have ` +
      'changed at every poll, and none at the others.',
    `Tables are full: rows expire as fast as they come. So are the archive (${deployed.archiveDays} days) and the logs ` +
      `(${deployed.logDays} days).`,
    ...lambdaAssumptions(),
    `A run waits ${milliseconds.dynamodbCall} ms for each call of DynamoDB, ${milliseconds.busCall} ms for EventBridge and ` +
      `${milliseconds.serviceCall} ms for getAgentLogins.`,
    `${percent(servedByAnother)} of the polls are made by another process than the one before.`,
    `The latest callback of an account is written by ${receipts.publishers} processes and read by ${receipts.pollers}, ` +
      'each once a minute.',
    ...(deployed.isInfrequent
      ? [
          'The Calls table has the class for infrequent access. By these counts that is cheaper if calls are stored for more ' +
            `than ${Math.ceil(infrequentPaysAfterDays(calls, deployed))} days.`,
        ]
      : []),
    `Fixed are ${fixed.metrics} metrics, as if each were written in every hour, ${fixed.alarmMetrics} metrics under alarms, ` +
      `${fixed.dashboards || 'no'} dashboard, ${fixed.secrets} secret that ${secretReaders.processes} processes read, and ` +
      `${deployed.servedQueues} queues into which Lambda looks ${queuePolling.pollers} times every ` +
      `${queuePolling.secondsAPoll} seconds.`,
    `A recording has ${archiving.megabytes} MB, and its host has it at once. In the bucket a million of them cost ` +
      `$${dollarFigure(1_000_000 * objectMonthDollars())} a month.`,
    `Left out are data transfer, alarms by mail, what subscribers do, and whatever fails. A key of your own is ` +
      `$${prices.keys.dollars} more, and its requests.`,
    `Lambda writes metrics of the kind \`EventCount\` for ${deployed.countedMappings} event sources. They are taken as free, which is unchecked: ` +
      `as metrics of your own, each would be $${dollarFigure(prices.metrics.dollars)}.`,
    `A query of CloudWatch Logs Insights is $${prices.searchedGigabytes.dollars} for each GB of log in the time that it searches.`,
    'Other regions are dearer: [DynamoDB](' +
      `${prices.readUnits.page}) costs some 1.2 times as much in Frankfurt and 1.5 times as much in São Paulo, and ` +
      `[Lambda](${prices.lambdaRequests.page}) the same. These factors are unchecked.`,
  ];
};

export const markdownReport = (report: Report): string =>
  [
    'What one piece of work takes; the dollars are without storage:',
    workTable(report),
    'What a month costs, in dollars:',
    monthTable(report),
    'What the memory of a function costs a month, in dollars; what is deployed is bold:',
    markdownTable(memoryTable(report.months.map(({ volume, counts }) => ({ title: volumeTitle(volume), counts })))),
    'These figures come from what was counted, and from these assumptions:',
    assumptions(report)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ].join('\n\n');

export const analyticsReport = ({ months, deployed }: Report): string =>
  [
    analyticsTable(months),
    analyticsAssumptions(deployed)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ].join('\n\n');

export const priceTable = (): string =>
  markdownTable({
    head: ['Price of', '$', 'for', 'unit', 'AWS page', 'found again'],
    rows: Object.values(prices).map(({ service, dollars, per, unit, page, checked }) => [
      service,
      String(dollars),
      figure(per),
      unit,
      page,
      checked ? 'yes' : 'unchecked',
    ]),
  });
