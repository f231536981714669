const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant as API Gateway writes it in `requestContext.time`, such as `21/Nov/2026:09:05:00 +0000`. */
export const gatewayTime = (instant: Date): string => {
  const [date = '', time = ''] = instant.toISOString().split('T');
  const [year, , day] = date.split('-');

  return `${day}/${months[instant.getUTCMonth()]}/${year}:${time.slice(0, 8)} +0000`;
};
