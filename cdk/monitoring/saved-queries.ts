import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface Logs {
  readonly receiver: ILogGroup;
  readonly functions: readonly ILogGroup[];
  readonly api: ILogGroup;
}

/** The queries that the runbook refers to, saved in CloudWatch Logs Insights. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, deployment: string, { receiver, functions, api }: Logs) {
    super(scope, id);

    const save = (name: string, title: string, logGroups: readonly ILogGroup[], query: QueryStringProps) =>
      new QueryDefinition(this, name, {
        queryDefinitionName: `${deployment}/${title}`,
        logGroups: [...logGroups],
        queryString: new QueryString(query),
      });

    save('Rejected', 'Why callbacks were rejected', [receiver], {
      filterStatements: ['message = "Callback rejected"'],
      statsStatements: ['count(*) as posts by reason, bin(15m)'],
      sort: 'posts desc',
    });
    save('Faults', 'Failures of dependencies', functions, {
      filterStatements: ['level = "error"'],
      statsStatements: ['count(*) as times, latest(@timestamp) as last by function, where, error, detail'],
      sort: 'last desc',
    });
    save('Replies', 'Replies by status, with latency', [api], {
      statsStatements: [
        'count(*) as posts, pct(latencyMilliseconds, 50) as median, pct(latencyMilliseconds, 99) as p99 by status, method, bin(15m)',
      ],
      sort: 'posts desc',
    });
    save('Starts', 'Cold starts, run times and memory', functions, {
      filterStatements: ['type = "platform.report"'],
      statsStatements: [
        'count(*) as runs, count(record.metrics.initDurationMs) as starts, max(record.metrics.initDurationMs) as longestStart, max(record.metrics.durationMs) as longestRun, max(record.metrics.maxMemoryUsedMB) as memory by @log, bin(1h)',
      ],
    });
    save('Crashes', 'Crashes and timeouts', functions, {
      filterStatements: ['(type = "platform.report" and record.status != "success") or level = "ERROR"'],
      sort: '@timestamp desc',
      limit: 50,
    });
  }
}
