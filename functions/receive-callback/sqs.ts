/** The part of SQS that parking needs. It is deployed in a file of its own beside the receiver, which `late-sqs.ts` loads. */
export { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
