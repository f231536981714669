import * as z from 'zod';

const name = z.string().min(1);
const days = z
  .string()
  .regex(/^[1-9]\d{0,4}$/)
  .transform(Number);

/** What is needed of the outputs of a stack. */
export const StackOutputs = z.object({
  CallbackUrl: z.url(),
  CallsTableName: name,
  AgentsTableName: name,
  QuarantineTableName: name,
  AccountsSecretArn: name,
  ParkingQueueUrl: z.url(),
  ParkingDeadLettersUrl: z.url(),
  BusName: name,
  BusArn: name,
  EventArchiveArn: name.optional(),
  TimeZone: name,
  CallRetentionDays: days,
  QuarantineRetentionDays: days,
});
export type StackOutputs = z.infer<typeof StackOutputs>;
