/** The least that can be deployed: what is left is Node and its runtime. */
export const handler = async () => ({ statusCode: 200 });
