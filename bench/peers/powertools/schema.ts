import * as z from 'zod';

/** Any scalar may come as text or as a number. */
const text = z.union([z.string(), z.number()]).transform(String);
const optional = text.nullish();

const fields = [
  ...['AgentID', 'AgentName', 'AgentPhoneNumber', 'AgentStatus', 'AgentUniqueID', 'AudioFile', 'CallDuration'],
  ...['CallID', 'CallerConfAudioFile', 'CallerID', 'CampaignName', 'CampaignStatus', 'Comments', 'ConfDuration'],
  ...['CustomerStatus', 'DialStatus', 'DialedNumber', 'dId', 'Did', 'DID', 'DataUniqueId', 'Disposition', 'Duration'],
  ...['EndTime', 'FallBackRule', 'HangupBy', 'HoldDuration', 'Location', 'PhoneName', 'Skill', 'StartTime', 'Status'],
  ...['TimeToAnswer', 'TransferType', 'TransferredTo', 'Type', 'UCID', 'UserName', 'UUI', 'WrapUpDuration'],
] as const;

/** A call summary as the service documents it. */
export const CallSummary = z.object({
  ...Object.fromEntries(fields.map((name) => [name, optional])),
  monitorUCID: text.refine((id) => id !== ''),
  Apikey: z.string(),
});
export type CallSummary = z.output<typeof CallSummary>;

/** The records in the form field `data`: one or a list. */
const Records = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown()).transform((one) => [one])]);

/**
 * What of the HTTP API's event holds the body. The schema of the whole event that comes with the parser would bring all
 * of zod into the bundle, 350 KB more, for fields that nobody reads.
 */
const Carrier = z.object({ body: z.string().default(''), isBase64Encoded: z.boolean() });

/** The event as the records that it holds. */
export const Posted = Carrier.transform(({ body, isBase64Encoded }, context) => {
  const form = new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  try {
    const data: unknown = JSON.parse(form.get('data') ?? '');
    return data;
  } catch {
    context.addIssue({ code: 'custom', message: 'The field "data" must hold JSON.' });
    return z.NEVER;
  }
}).pipe(Records);
