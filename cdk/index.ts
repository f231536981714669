/** Callfeed for AWS CDK apps: the whole service as a construct, and typed subscriptions to its events. */
export { Callfeed, type CallfeedProps } from './callfeed.ts';
export type { Where } from './event-pattern.ts';
export type { AnyDetail, SubscriptionOptions } from './subscriptions.ts';
export { CallfeedEvents, type CallfeedEventsProps } from './subscriptions.ts';
