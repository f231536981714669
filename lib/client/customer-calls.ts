type Range = Readonly<Record<'from' | 'to', string | undefined>>;

export const callsOfCaller = (client: CallfeedClient, typed: string, range: Range): CallList =>
  callsOfNumbers(client, spellingsOf(typed), range);

export const callsOfNumbers = (client: CallfeedClient, numbers: readonly string[], { from, to }: Range): CallList => {
  const [only = ''] = numbers;
  if (numbers.length === 1) return client.callsOfCustomer(only, { from, to });
  return merged((last = to) => numbers.map((number) => client.callsOfCustomer(number, { from, to: last })));
};

const Position = z.tuple([instant, z.string()]);

/** Several lists as one, newest first; `listsUpTo` makes them. A page begins after its last call, so a cursor holds no number. */
const merged = (listsUpTo: (last?: string) => readonly CallList[]): CallList => ({
  async *pages(size, cursor) {
    const after = cursor === undefined ? undefined : parsePosition(cursor);
    let calls: ListedCall[] = [];
    for await (const call of newestFirst(listsUpTo(after?.[0]))) {
      if (after !== undefined && call.listedAt === after[0] && call.callId.localeCompare(after[1]) >= 0) continue;
      const last = calls.at(-1);
      if (calls.length === size && last !== undefined) {
        yield { calls, next: Buffer.from(JSON.stringify([last.listedAt, last.callId])).toString('base64url') };
        calls = [];
      }
      calls.push(call);
    }
    yield { calls, next: undefined };
  },
  [Symbol.asyncIterator]: () => newestFirst(listsUpTo()),
});

const parsePosition = (cursor: string): z.infer<typeof Position> => {
  try {
    return Position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new RangeError('cursor: expected the unchanged `next` of a page.');
  }
};

async function* newestFirst(lists: readonly CallList[]): AsyncGenerator<ListedCall, void> {
  const iterators = lists.map((list) => list[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    const newest = heads
      .flatMap(({ done, value }) => (done === true ? [] : [value.listedAt]))
      .sort()
      .at(-1);
    if (newest === undefined) return;
    const together: ListedCall[] = [];
    for (const [index, iterator] of iterators.entries()) {
      let head = heads[index];
      while (head?.done === false && head.value.listedAt === newest) {
        together.push(head.value);
        head = await iterator.next();
      }
      if (head !== undefined) heads[index] = head;
    }
    yield* together.sort((a, b) => b.callId.localeCompare(a.callId));
  }
}
