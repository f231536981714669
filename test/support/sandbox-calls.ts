/** A call summary as the built-in account's contact centre sends it; `changes` replace fields. */
export const demoCall = (monitorUCID: string, changes: Readonly<Record<string, string>> = {}) => ({
  monitorUCID,
  UserName: 'demo',
  Apikey: 'demo-key',
  Type: 'Inbound',
  Status: 'Answered',
  AgentID: 'asha',
  CallerID: '09876500000',
  StartTime: '2026-11-21 10:00:00',
  EndTime: '2026-11-21 10:02:00',
  CallDuration: '00:02:00',
  ...changes,
});

/** Posts a call as a form to an address, and resolves with the status and the reply. */
export const postCall = async (address: string, call: object): Promise<readonly [status: number, reply: unknown]> => {
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams({ data: JSON.stringify(call) }) });

  return [answer.status, await answer.json()];
};

/** The calls that events on the bus tell of, by their ids, in the order of the events. */
export const publishedCalls = async (eventsAddress: string): Promise<readonly string[]> => {
  const lines = (await (await fetch(eventsAddress)).text()).split('\n').filter((line) => line !== '');

  return lines.map((line) => JSON.parse(line).detail.callId);
};
