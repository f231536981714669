import { sentinelToken } from '../fixtures/accounts.ts';
import { decompressed } from '../support/call-records.ts';

/** Fictitious people in fixtures. No log may name them. */
const personal = /09000000\d|Asha|Ravi Nair|Meera/;

const keysOf = (account: unknown): readonly string[] => [Object(account).apiKeys ?? []].flat();

/** Notes keys where they must not be, and personal data in logs. `check` throws if there were any. */
export const leakCheck = (accounts: readonly unknown[]) => {
  const secrets = [...accounts.flatMap(keysOf), sentinelToken];
  const found: string[] = [];
  const note = (where: string, text: string): void => {
    const readable = decompressed(text);
    const secret = secrets.find((each) => readable.includes(each));
    if (secret !== undefined) found.push(`${where} holds ${secret}: ${readable.slice(0, 500)}`);
  };

  return {
    inRequest: (body: string) => note('A request to AWS', body),
    inReply: (body: string) => note('A reply', body),
    inLog(line: string) {
      note('A log line', line);
      if (personal.test(line)) found.push(`A log line names a person: ${line}`);
    },
    check() {
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  };
};
