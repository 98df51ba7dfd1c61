-- By hand: adds the messages that were there before the triggers, which the migration before this
-- one has committed. What is missing is the same at any moment, true count less kept count, so one
-- snapshot of both tells it, and messages may come and change meanwhile.
INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
SELECT workspace_id, day, direction, status, sum(n)
FROM (
  SELECT workspace_id, uuid_v7_day(id) AS day, direction, status, count(*) AS n FROM messages
  GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT workspace_id, day, direction, status, -n FROM message_counts
) missing
GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4
ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
