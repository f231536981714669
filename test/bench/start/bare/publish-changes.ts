import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

const eventbridge = new EventBridgeClient({});

/** The AWS client of the publisher, and one event. */
export const handler = async () => {
  await eventbridge.send(new PutEventsCommand({ Entries: [{ Source: 'bare', DetailType: 'Bare', Detail: '{}' }] }));
  return { batchItemFailures: [] };
};
