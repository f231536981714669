/** The events that a subscriber gets, by what they follow from: type, call or agent, revision or version. */
export const expectedEvents = {
  ofPosts: [
    'Call Summary Recorded 12345678901234567890 1',
    'Call Summary Revised 12345678901234567890 2',
    'Call Summary Recorded 41781234567890123 1',
    'Call Participant Recorded 41781234567890123 1',
  ],
  ofAgents: [
    'Agent Logged In asha 1',
    'Agent State Changed asha 2',
    'Agent Logged In ravi 1',
    'Agent Logged Out ravi 2',
  ],
  ofParked: ['Call Summary Recorded 51781234567890001 1', 'Call Summary Recorded 51781234567890002 1'],
  ofNextVersion: ['Call Summary Recorded 51781234567890003 1'],
} as const;
