import { bucketsForget, dataOutlivesAProtectedStack, tablesHaveTheTags } from './lasting.ts';
import { filtersCountLoggedLines, logsHaveOneWriter, queriesAskTheRightLogs } from './logs.ts';
import { alarmsReadWhatIsEmitted, expressionsUseTheirMetrics, graphsShowAlarms } from './metrics.ts';
import { namedComesFirst, policiesComeOneByOne, rolesComeFirst } from './order.ts';
import type { StackRule } from './rule.ts';

export const stackRules: Readonly<Record<string, StackRule>> = {
  'what uses a role is made after what the role may do': rolesComeFirst,
  'what names another resource by its text is made after it': namedComesFirst,
  'no two changes of one policy come at once': policiesComeOneByOne,
  'an alarm reads what is emitted, with its dimension, by a statistic that says something': alarmsReadWhatIsEmitted,
  'an expression uses each metric of its alarm, over one period': expressionsUseTheirMetrics,
  'a graph has what its alarm reads, as the alarm reads it': graphsShowAlarms,
  'a saved query asks each log that has such lines, and for fields that they have': queriesAskTheRightLogs,
  'a metric filter counts lines that are logged, for an alarm': filtersCountLoggedLines,
  'each log has one writer, and all are kept as long': logsHaveOneWriter,
  'data outlives a protected stack, and nothing else outlives any': dataOutlivesAProtectedStack,
  'a table has the tags of its stack': tablesHaveTheTags,
  'a bucket forgets its objects, and what is left of uploads': bucketsForget,
};
