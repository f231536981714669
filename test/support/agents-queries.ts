/** Everything in a partition. */
export const partition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});

/** Who is in a state. */
export const inState = (key: string) => ({
  IndexName: 'byState',
  KeyConditionExpression: 'agentsInState = :key',
  ExpressionAttributeValues: { ':key': { S: key } },
});

/** The parts of floors that were kept up to a moment, newest first. */
export const floorAt = (account: string, moment: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk <= :moment',
  ExpressionAttributeValues: { ':pk': { S: `${account}#floor` }, ':moment': { S: `${moment}~` } },
  ScanIndexForward: false,
});

const between = (pk: string, from: string, to: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: from }, ':to': { S: to } },
});

/** An agent's pieces of time. BETWEEN includes both of its ends, and a stretch begins at the next midnight. */
export const dayOf = (agentId: string, from: string, to: string) => between(`demo#agent#${agentId}`, from, to);

/** What became of the feed. */
export const interruptions = (from: string, to: string) => between('demo#feed', from, to);
