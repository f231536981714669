/** What MiniStack cannot deploy: the names that the setting `leaveOut` has for it, and what it is. */
const missing = {
  // AWS::Events::Archive
  archive: 'the archive of events',
  // AWS::EventSchemas::Registry and ::Schema
  schemas: 'the schemas of events in the registry',
  // AWS::Logs::QueryDefinition
  queries: 'saved queries',
  // AWS::Events::EventBusPolicy
  'bus-policy': 'rules of other accounts on the bus',
};

/** The setting with which the stack is deployed. */
export const leaveOut = Object.keys(missing).join(',');

/** What a run does not show, in words: the last two are deployed, but do nothing in MiniStack. */
export const notTried: readonly string[] = [...Object.values(missing), 'the schedule of ticks', 'alarms being raised'];
