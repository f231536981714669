import { agentFigures, callFiguresBy, defaultWithinSeconds, type ListedCall } from '../../client/index.ts';
import { columnsOf, figuresOf } from '../../client/shown-figures.ts';
import { justBefore } from '../../lib/core/time.ts';
import { readAgentTime } from '../agents/agent-time.ts';
import { defaultShortSeconds } from '../day/day.ts';
import { accountDay } from '../frame/asked-days.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import type { KeptDetails } from './calls.ts';
import { shownFigure } from './shown-figure.ts';

/** The figures of an agent's day, as the table of Day by agent has them, and the calls handled: of all calls, and of the time in each state. */
export const agentFiguresReader =
  ({ clock }: Pick<ConsoleSettings, 'clock'>, details: KeptDetails) =>
  async (account: ShownAccount, { id, ...asked }: { readonly id: string; readonly day: string }) => {
    const { client, timeZone } = account;
    const { day, start, end } = await accountDay(account, { ...asked, timeZone }, clock());
    const calls: ListedCall[] = [];
    for await (const call of client.callsOfAgent(id, { from: start, to: justBefore(end) })) calls.push(call);
    await details.readMissing(account, calls);
    const counted = calls.map((call) => ({ ...call, ...details.of(account, call) }));
    const settings = { shortSeconds: defaultShortSeconds, withinSeconds: defaultWithinSeconds };
    const own = callFiguresBy('agent', counted, settings).find(({ key }) => key === id);

    const { agentDay, freshness, upTo } = await readAgentTime(client, { agentId: id, day, timeZone }, clock);
    const time = agentDay.intervals.length === 0 ? undefined : agentDay.secondsByState(upTo);
    const agents = agentFigures([{ agentId: id, secondsByState: time }]);
    const figures = own === undefined ? [] : figuresOf({ calls: own.figures, agents });
    const names = ['handled', ...columnsOf([figures]).map(({ name }) => name)];
    return {
      now: clock().toISOString(),
      /** Whether any agent of the account was ever polled. */
      isPolled: freshness.feed?.asOf !== undefined,
      opens: { day, agent: id },
      figures: figures
        .filter(({ name }) => names.includes(name))
        .map((figure) => ({ ...shownFigure(figure, defaultWithinSeconds), definition: figure.declaration.definition })),
    };
  };
