import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Watched } from './watched.ts';

/** The questions that the runbook asks the logs, ready to be run in CloudWatch Logs Insights. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { receiver, recovery, publisher, poller, api, deployment }: Watched) {
    super(scope, id);

    const all = [receiver, recovery, publisher, ...(poller ? [poller] : [])].map(({ log }) => log);
    const save = (name: string, title: string, logGroups: ILogGroup[], query: QueryStringProps) =>
      new QueryDefinition(this, name, {
        queryDefinitionName: `${deployment}/${title}`,
        logGroups,
        queryString: new QueryString(query),
      });

    save('Refused', 'Why callbacks were refused', [receiver.log], {
      filterStatements: ['message = "Callback refused"'],
      statsStatements: ['count(*) as posts by reason, bin(15m)'],
      sort: 'posts desc',
    });
    save('Faults', 'What failed outside of Callfeed', all, {
      filterStatements: ['level = "error"'],
      statsStatements: ['count(*) as times, latest(@timestamp) as last by function, where, error, detail'],
      sort: 'last desc',
    });
    save('Replies', 'Replies by status, and how long they took', [api.accessLog], {
      statsStatements: [
        'count(*) as posts, pct(latencyMilliseconds, 50) as median, pct(latencyMilliseconds, 99) as p99 by status, route, bin(15m)',
      ],
      sort: 'posts desc',
    });
    save('Starts', 'Cold starts, run times and memory', all, {
      filterStatements: ['type = "platform.report"'],
      statsStatements: [
        'count(*) as runs, count(record.metrics.initDurationMs) as starts, max(record.metrics.initDurationMs) as longestStart, max(record.metrics.durationMs) as longestRun, max(record.metrics.maxMemoryUsedMB) as memory by @log, bin(1h)',
      ],
    });
    save('Crashes', 'Crashes and timeouts', all, {
      filterStatements: ['(type = "platform.report" and record.status != "success") or level = "ERROR"'],
      sort: '@timestamp desc',
      limit: 50,
    });
  }
}
