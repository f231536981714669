/** Takes everything. */
export const handler = async () => ({ statusCode: 200, body: '{"stored":1}' });
