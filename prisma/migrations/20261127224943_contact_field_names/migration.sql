-- CreateTable
CREATE TABLE "contact_field_names" (
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "contacts" INTEGER NOT NULL,

    CONSTRAINT "contact_field_names_pkey" PRIMARY KEY ("workspace_id","name")
);

-- By hand: what a Prisma schema can't express.

-- Keeps contact_field_names, in the transaction that changes the contacts, and for every release of the service.
-- Changes of the contacts of a workspace hold its lock, so no two of them wait for each other here.
CREATE FUNCTION count_contact_field_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO contact_field_names AS c (workspace_id, name, contacts)
    SELECT workspace_id, field, count(*) FROM added, jsonb_object_keys(fields) field
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (workspace_id, name) DO UPDATE SET contacts = c.contacts + excluded.contacts;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM contact_field_names;
  ELSE
    IF TG_OP = 'DELETE' THEN
      INSERT INTO contact_field_names AS c (workspace_id, name, contacts)
      SELECT workspace_id, field, -count(*) FROM removed, jsonb_object_keys(fields) field
      GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (workspace_id, name) DO UPDATE SET contacts = c.contacts + excluded.contacts;
    ELSE
      INSERT INTO contact_field_names AS c (workspace_id, name, contacts)
      SELECT workspace_id, field, sum(change)
      FROM (
        SELECT workspace_id, field, 1 AS change FROM added, jsonb_object_keys(fields) field
        UNION ALL
        SELECT workspace_id, field, -1 FROM removed, jsonb_object_keys(fields) field
      ) changes
      GROUP BY 1, 2 HAVING sum(change) <> 0 ORDER BY 1, 2
      ON CONFLICT (workspace_id, name) DO UPDATE SET contacts = c.contacts + excluded.contacts;
    END IF;
    DELETE FROM contact_field_names
    WHERE contacts = 0 AND workspace_id IN (SELECT workspace_id FROM removed);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER contact_field_names_insert AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();
CREATE TRIGGER contact_field_names_update AFTER UPDATE ON contacts
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();
CREATE TRIGGER contact_field_names_delete AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();
CREATE TRIGGER contact_field_names_truncate AFTER TRUNCATE ON contacts
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();
