import type { GuaranteeCase } from '../guarantee-case.ts';
import { postOf, summaryOf } from '../posts.ts';

/** Who is no account, and who only asks. */
export const strangers: readonly GuaranteeCase[] = [
  {
    title: 'An unknown key stores nothing',
    async try(stage, callId) {
      const { status } = await stage.request(postOf(summaryOf(callId, { Apikey: 'guessed' })));
      const isKept = (await stage.kept()).some((text) => text.includes(callId));
      const { length } = await stage.events(callId);
      return { isKept: status === 401 && !isKept && length === 0, seen: `${status}, ${isKept ? 'kept' : 'not kept'}` };
    },
  },
  {
    title: 'The service’s check of the address is answered with 200',
    async try(stage) {
      const { status: get } = await stage.request({ method: 'GET', headers: {} });
      const { status: head } = await stage.request({ method: 'HEAD', headers: {} });
      return { isKept: get === 200 && head === 200, seen: `GET ${get}, HEAD ${head}` };
    },
  },
];
