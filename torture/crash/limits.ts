/** So many requests at most in any window of this length, by the service's own clock. */
interface Limit {
  readonly count: number;
  readonly perMs: number;
}

const mostLogins: Limit = { count: 5, perMs: 60_000 };
const mostTokens: Limit = { count: 10, perMs: 3_600_000 };

/** As slots are cut: each is for one process. */
const slotMs = 15_000;

const exceeds = (times: readonly number[], { count, perMs }: Limit): boolean =>
  times.filter((at) => at >= (times.at(-1) ?? 0) - perMs).length > count;

/** Notes the requests that a service gets, and which of them break the limits of the specification and of practice. */
export const watchLimits = (now: () => Date) => {
  const logins: { readonly atMs: number; readonly by: number }[] = [];
  const tokens: number[] = [];
  const offences: string[] = [];

  return {
    offences: (): readonly string[] => offences,
    /** A process asks for the floor. */
    login(by: number): void {
      const atMs = now().getTime();
      const slot = Math.floor(atMs / slotMs);
      const other = logins.find((each) => Math.floor(each.atMs / slotMs) === slot && each.by !== by);
      if (other !== undefined) offences.push(`processes ${other.by} and ${by} asked in the same slot`);
      logins.push({ atMs, by });
      const times = logins.map((each) => each.atMs);
      if (exceeds(times, mostLogins)) offences.push(`request ${logins.length} is more than 5 in a minute`);
    },
    /** A token is asked for. Answers how many were before. */
    token(): number {
      tokens.push(now().getTime());
      if (exceeds(tokens, mostTokens)) offences.push(`token ${tokens.length} is more than 10 in an hour`);
      return tokens.length - 1;
    },
  };
};
