import type * as Sqs from '@aws-sdk/client-sqs';

declare const require: (file: './sqs.js') => typeof Sqs;

/**
 * Replaces `@aws-sdk/client-sqs` in the deployed receiver. The client is loaded when the first callback is parked, as most
 * processes never park one: it took 2 % of the time until the receiver is ready. If the file cannot be loaded, parking has
 * failed, and the next callback tries again.
 */
export class SQSClient {
  constructor(...settings: ConstructorParameters<typeof Sqs.SQSClient>) {
    // biome-ignore lint/correctness/noConstructorReturn: it stands for the SDK's own class.
    return new (require('./sqs.js').SQSClient)(...settings);
  }
}

/** The same for the command. */
export class SendMessageBatchCommand {
  constructor(...input: ConstructorParameters<typeof Sqs.SendMessageBatchCommand>) {
    // biome-ignore lint/correctness/noConstructorReturn: the same.
    return new (require('./sqs.js').SendMessageBatchCommand)(...input);
  }
}
