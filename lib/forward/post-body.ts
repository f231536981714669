/**
 * The body of the service's post: the form field `data`, and the fields beside it.
 * @example postBody('{}', { Apikey: 'KEY' }) // data=%7B%7D&Apikey=KEY
 */
export const postBody = (data: string, beside: Readonly<Record<string, string>>): string =>
  Object.entries({ data: data.toWellFormed(), ...beside })
    .map((field) => field.map(encodeURIComponent).join('='))
    .join('&');
