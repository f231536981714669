-- title: How do the calls of each campaign end?
-- meaning: Each disposition that agents set, by campaign. A call with two of them counts for both.
-- columns: account campaign_name
-- column: disposition string: What the agent set; absent for answered calls without one.
-- column: calls bigint: How many answered calls have it.
-- column: share double: The share of all of the campaign, from 0 to 1.
SELECT
  account, campaign_name, disposition,
  count(*) AS calls,
  1e0 * count(*) / sum(count(*)) OVER (PARTITION BY account, campaign_name) AS share
FROM calls
CROSS JOIN UNNEST(coalesce(dispositions, ARRAY[CAST(NULL AS varchar)])) AS each_one (disposition)
WHERE status = 'answered'
  AND day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
GROUP BY account, campaign_name, disposition
ORDER BY account, campaign_name, calls DESC, disposition
