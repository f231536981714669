/** Callfeed for AWS CDK apps: the whole service as a construct, and typed subscriptions to its events. */
export { Callfeed, type CallfeedProps } from './callfeed.ts';
export { CallfeedEvents, type CallfeedEventsProps } from './subscriptions/callfeed-events.ts';
export type { AnyDetail } from './subscriptions/subscribable.ts';
export type { SubscriptionOptions } from './subscriptions/subscription.ts';
export type { Where } from './subscriptions/where.ts';
