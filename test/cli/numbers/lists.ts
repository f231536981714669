import { setImmediate as immediate } from 'node:timers/promises';
import { filtersOf, listCommand, waitingCommand } from '../../../cli/console/page/call-links.ts';
import { addressOf, callsAsked, hashOf, type PageQuery, searchOf } from '../../../cli/console/page/hash.ts';
import { commandOf } from '../../../cli/console/page/words.ts';
import type { Call } from '../../../client/index.ts';
import { isMissed } from '../../../lib/contract/rules.ts';
import { inBash, jsonLines } from '../support/cli-run.ts';
import type { Centre } from './centre.ts';
import type { Held } from './rules.ts';

type Row = Readonly<Record<string, unknown>>;

/** Opens what a number promises: the list of a link, page by page, and the command that is shown under that list. */
export const listsOf = (centre: Centre) => {
  const kept = new Map<string, Promise<unknown>>();
  /** The same list again, as long as neither the clock nor a call has moved. */
  const once = <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
    const found = kept.get(`${centre.now()} ${key}`) ?? read();
    kept.set(`${centre.now()} ${key}`, found);
    return found as Promise<Value>;
  };

  /** The page at an address: it reads its own links, as somebody does who follows or copies one. */
  const placeOf = (link: PageQuery) => ({
    ...centre,
    address: addressOf(hashOf('calls', undefined, { account: centre.account, ...link })),
  });

  /** A page of a list once it tells what became of missed calls: that is read beside the list, which does not wait for it. */
  const whole = async (query: PageQuery) => {
    for (;;) {
      const page = await centre.ask('calls', query);
      const isTold = page.missedReading.asOf !== undefined || !page.calls.some(isMissed);
      if (isTold || page.missedReading.problem !== undefined) return page;
      await immediate();
    }
  };

  const pages = async (query: PageQuery): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let cursor: string | undefined; ; ) {
      const { calls, next } = await whole({ ...query, cursor });
      rows.push(...calls);
      if (next === undefined) return rows;
      cursor = next;
    }
  };

  const links = new Map<string, PageQuery>();
  /** The rows of the list that a link to Calls opens. */
  const opened = (link: PageQuery): Promise<readonly Row[]> => {
    links.set(JSON.stringify(link), link);
    return once(`list ${JSON.stringify(link)}`, () => {
      const { address } = placeOf(link);
      const query = { ...callsAsked(address, centre.timeZone), ...filtersOf(address) };
      return pages(Object.fromEntries(new URLSearchParams(searchOf(query))));
    });
  };

  const shown = (words: readonly string[] | undefined) => words && commandOf(centre, ...words);
  const now = () => new Date(centre.now());
  /** The command that the page shows under that list; undefined where the range is none. */
  const commandAt = (link: PageQuery): string | undefined => shown(listCommand(placeOf(link), now()));

  const printed = async ([npx, callfeed, ...words]: readonly string[] = []): Promise<readonly Row[]> => {
    if (npx !== 'npx' || callfeed !== 'callfeed') throw new Error(`No command of Callfeed: ${npx} ${callfeed}`);
    const run = await centre.run([...words, '--json']);
    if (run.code !== 0) throw new Error(`${words.join(' ')}: ${run.notes}`);
    return jsonLines(run);
  };
  const idsIn = (rows: readonly Row[]): string => rows.map(({ callId }) => callId).join();

  return {
    opened,
    once,
    /** The command that the page shows under the callers of a list of open calls. */
    callersAt: (link: PageQuery): string | undefined => shown(waitingCommand(placeOf(link), now())),
    /** What a command prints as JSON that somebody pastes into a shell. */
    async pasted(command: string): Promise<readonly Row[]> {
      return await printed(inBash([command])[0]);
    },
    /** The calls of lists that were opened, one of each kind, beside those of the commands that are shown under them. */
    async besideCommands(kindOf: (link: PageQuery) => string): Promise<readonly Held[]> {
      const kinds = [...new Map([...links.values()].map((link) => [kindOf(link), link])).values()];
      const commands = kinds.flatMap((link) => {
        const command = commandAt(link);
        return command === undefined ? [] : [{ link, command }];
      });
      const words = inBash(commands.map(({ command }) => command));
      const held: Held[] = [];
      for (const [index, { link, command }] of commands.entries())
        held.push({
          what: command,
          shown: idsIn(await opened(link)),
          opened: idsIn(await printed(words[index])),
        });
      return held;
    },
    /** The rows of calls, with the durations and the legs that lists lack. */
    async rowsOf(calls: readonly Row[]): Promise<readonly Call[]> {
      const details = await Promise.all(
        calls.map(({ callId }) =>
          once(`call ${callId}`, async () => {
            const { call } = await centre.ask('call', { id: String(callId) });
            return { ...call.facts, callId };
          }),
        ),
      );
      return details as readonly Call[];
    },
  };
};

export type Lists = ReturnType<typeof listsOf>;
export type { Row };
