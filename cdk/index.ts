/** Callfeed for AWS CDK apps: the whole service as a construct, typed subscriptions to its events, and its tables to read. */
export { abandonedCalls, freeAgents, missedCalls, shortAbandonedCalls } from '../lib/contract/rules.ts';
export { Callfeed, type CallfeedProps } from './callfeed.ts';
export type { Where } from './constructs/event-pattern.ts';
export type { OfStage } from './stage-parameters.ts';
export type { AnyDetail, SubscriptionOptions } from './subscriptions.ts';
export {
  CallfeedEvents,
  type CallfeedEventsProps,
  ForwardedEvents,
  type ForwardedEventsProps,
} from './subscriptions.ts';
export { CallfeedTables, type TableArns } from './tables.ts';
