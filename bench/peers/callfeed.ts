import * as z from 'zod';
import type { PublishChangesEnv } from '../../functions/publish-changes/env.ts';
import type { ReceiveCallbackEnv } from '../../functions/receive-callback/env.ts';
import { callsTable, quarantineTable } from '../../lib/contract/tables.ts';
import type { Peer } from './peer.ts';

const Row = z.object({
  kind: z.literal('call'),
  callId: z.string(),
  status: z.string().optional(),
  recordings: z.array(z.string()).default([]),
  dispositions: z.array(z.string()).default([]),
});

/** Ours: the row before the reply, the event from the table's stream by a second function. */
export const callfeed: Peer = {
  name: 'callfeed',
  deployed(prefix) {
    const names = { calls: `${prefix}-calls`, quarantine: `${prefix}-quarantine` };
    const receiving = (awsUrl: string): ReceiveCallbackEnv => ({
      CALLS_TABLE: names.calls,
      QUARANTINE_TABLE: names.quarantine,
      PARKING_QUEUE_URL: `${awsUrl}/000000000000/parking`,
      ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:accounts',
    });
    const publishing: PublishChangesEnv = { BUS_NAME: 'callfeed' };
    return {
      receiver: {
        entry: 'functions/receive-callback/index.ts',
        environment: (awsUrl) => textsIn({ ...receiving(awsUrl), AWS_ENDPOINT_URL: awsUrl }),
      },
      publisher: {
        entry: 'functions/publish-changes/index.ts',
        environment: (awsUrl) => textsIn({ ...publishing, AWS_ENDPOINT_URL: awsUrl }),
      },
      tables: { [names.calls]: callsTable, [names.quarantine]: quarantineTable },
      callsTable: names.calls,
    };
  },
  callOf(row) {
    const call = Row.safeParse(row).data;
    return (
      call && {
        id: call.callId,
        isAnswered: call.status === 'answered',
        recordings: call.recordings,
        disposition: call.dispositions.at(-1),
      }
    );
  },
};

const textsIn = (environment: object): Readonly<Record<string, string>> =>
  z.record(z.string(), z.string()).parse(environment);
