-- title: Settings
-- meaning: What the other views count by. Create this view again with other numbers, and all figures follow.
-- column: within_seconds int: A call is answered in time if that took at most so many seconds.
-- column: short_seconds int: An abandoned call is short if it ended less than so many seconds after its start.
SELECT 20 AS within_seconds, 10 AS short_seconds
