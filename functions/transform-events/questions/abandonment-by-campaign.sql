-- title: In which campaigns do customers give up?
-- meaning: A campaign on a day of the account’s calendar. Short abandoned calls count on neither side of the share.
-- columns: account local_day campaign_name offered abandoned short_abandoned
-- column: abandonment double: The share that was given up, from 0 to 1; absent where no call tells.
SELECT
  account, local_day, campaign_name,
  sum(offered) AS offered,
  sum(abandoned) AS abandoned,
  sum(short_abandoned) AS short_abandoned,
  1e0 * sum(given_up) / nullif(sum(abandonment_calls), 0) AS abandonment
FROM call_quarters
WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, local_day, campaign_name
ORDER BY account, local_day, campaign_name
