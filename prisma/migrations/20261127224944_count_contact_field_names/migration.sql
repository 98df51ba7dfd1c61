-- By hand: adds the contacts from before the triggers, which the migration before this one has committed. The
-- difference between the true and the kept count is the same at any moment, so one snapshot of both is enough, and
-- contacts may change meanwhile.
INSERT INTO contact_field_names AS c (workspace_id, name, contacts)
SELECT workspace_id, field, sum(contacts)
FROM (
  SELECT workspace_id, field, count(*) AS contacts FROM contacts, jsonb_object_keys(fields) field GROUP BY 1, 2
  UNION ALL
  SELECT workspace_id, name, -contacts FROM contact_field_names
) missing
GROUP BY 1, 2 HAVING sum(contacts) <> 0 ORDER BY 1, 2
ON CONFLICT (workspace_id, name) DO UPDATE SET contacts = c.contacts + excluded.contacts;

DELETE FROM contact_field_names WHERE contacts = 0;
