import { milliseconds, queuePolling, secretReaders, servedByAnother, traced } from './assumptions.ts';
import { fixedOf } from './month-of.ts';
import { priceList, prices } from './prices.ts';
import type { Report } from './report.ts';
import { scenario } from './scenario.ts';

const percent = (share: number): string => `${100 * share} %`;

/** What the figures of a month stand on, besides what was counted: a sentence or two each. */
export const assumed = ({ deployed }: Report): readonly string[] => {
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
    ...(deployed.isTraced
      ? [
          `X-Ray records ${traced.aSecond} run of a function a second, and ${percent(traced.shareOfOthers)} of the others.`,
        ]
      : []),
    `Fixed are ${metrics} metrics, as if each were written in every hour, ${alarmMetrics} metrics under alarms, ` +
      `${dashboards} dashboard, ${secrets} secret that ${secretReaders.processes} processes read, and ` +
      `${deployed.servedQueues} queues into which Lambda looks ${queuePolling.pollers} times every ` +
      `${queuePolling.secondsAPoll} seconds.`,
    `Left out are data transfer, alarms by mail, what subscribers do, and whatever fails. A key of your own is ` +
      `$${prices.keys.dollars} more, and its requests.`,
  ];
};
