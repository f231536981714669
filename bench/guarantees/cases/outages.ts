import type { GuaranteeCase } from '../guarantee-case.ts';
import { postOf, summaryOf } from '../posts.ts';
import type { Stage } from '../stage.ts';

/** A post while DynamoDB answers everything with a fault of its own. */
const whileDown = async (stage: Stage, callId: string) => {
  stage.fail(({ service }) => (service === 'dynamodb' ? 'before' : undefined));
  const { status } = await stage.request(postOf(summaryOf(callId)));
  stage.fail();
  const isKept = (await stage.kept()).some((text) => text.includes(callId));
  return { isAcknowledged: status < 300, isKept, seen: `${status}, ${isKept ? 'in table or queue' : 'nowhere'}` };
};

/** What becomes of calls while the database is down. */
export const outages: readonly GuaranteeCase[] = [
  {
    title: 'DynamoDB is down: nothing is acknowledged that is not kept',
    async try(stage, callId) {
      const { isAcknowledged, isKept, seen } = await whileDown(stage, callId);
      return { isKept: !isAcknowledged || isKept, seen };
    },
  },
  {
    title: 'DynamoDB is down: calls are taken in all the same',
    async try(stage, callId) {
      const { isAcknowledged, isKept, seen } = await whileDown(stage, callId);
      return { isKept: isAcknowledged && isKept, seen };
    },
  },
];
