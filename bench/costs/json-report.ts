import { milliseconds, queuePolling, secretReaders, servedByAnother, traced } from './assumptions.ts';
import { priceList, prices } from './prices.ts';
import { dollarsOf, together } from './quantities-of.ts';
import type { Report } from './report.ts';
import { scenario } from './scenario.ts';

/** Everything, for programs. */
export const jsonReport = ({ months, polls, ...report }: Report): string =>
  JSON.stringify(
    {
      priceList,
      prices,
      scenario,
      assumptions: { milliseconds, queuePolling, secretReaders, servedByAnother, traced },
      ...report,
      polls: polls.map(({ changed, ...others }) => ({ ...others, changed: Object.fromEntries(changed) })),
      months: months.map(({ volume, month }) => ({
        volume,
        ...month,
        dollars: dollarsOf(together(month.calls, month.agents, month.fixed)),
      })),
    },
    undefined,
    2,
  );
