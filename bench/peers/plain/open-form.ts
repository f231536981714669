import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A record as it was posted. */
export type PostedRecord = Readonly<Record<string, unknown>>;

/** The records in the form field `data`: one or a list; undefined if there are none. */
export const openForm = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): readonly unknown[] | undefined => {
  const form = new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  try {
    const data: unknown = JSON.parse(form.get('data') ?? '');
    return Array.isArray(data) ? data : [data];
  } catch {
    return undefined;
  }
};

/** Whether it is a call summary: those name their call, participants do not. */
export const isSummary = (record: unknown): record is PostedRecord =>
  typeof record === 'object' && record !== null && 'monitorUCID' in record;
