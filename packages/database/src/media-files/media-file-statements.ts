import { DUE_NOW } from '../due-now.ts';

/** Whether a stored message uses the file `f`. An erased one does not. */
const IS_USED = `EXISTS (
  SELECT 1 FROM media_uses u
    JOIN message_records m ON m.workspace_id = u.workspace_id AND m.id = u.message_id
      AND m.media <> '[]'
  WHERE u.workspace_id = f.workspace_id AND u.media_id = f.id)`;

/**
 * A file is not checked within a day after its last use. By then, the message of each use is
 * stored. The time of the next check is moved at most once an hour, because many messages may use
 * one file, and their statements would wait for each other's commits.
 *
 * A file that another statement changes at the same time may be missing from the result: a second
 * run finds it, unless it was discarded. Parameters: the workspace, and each message with a file.
 */
export const USE = `
WITH found AS (
  SELECT id, content_type, size, check_at FROM media_files
  WHERE workspace_id = $1::uuid AND id = ANY($3::uuid[])
    AND stored_at IS NOT NULL AND deleted_at IS NULL
),
due AS (
  -- In the same order everywhere, so that two statements never wait for each other.
  SELECT id FROM media_files
  WHERE workspace_id = $1::uuid AND id = ANY($3::uuid[])
    AND stored_at IS NOT NULL AND deleted_at IS NULL AND check_at < now() + interval '24 hours'
  ORDER BY id FOR NO KEY UPDATE
),
kept AS (
  UPDATE media_files f SET check_at = now() + interval '25 hours'
  FROM due WHERE f.workspace_id = $1::uuid AND f.id = due.id
  RETURNING f.id
),
usable AS (
  SELECT id, content_type, size FROM found
  WHERE check_at >= now() + interval '24 hours' OR id IN (SELECT id FROM kept)
),
uses AS (
  INSERT INTO media_uses (workspace_id, media_id, message_id)
  SELECT $1::uuid, usable.id, u.message_id
  FROM unnest($2::uuid[], $3::uuid[]) AS u (message_id, media_id) JOIN usable ON usable.id = u.media_id
)
SELECT id, content_type AS "contentType", size FROM usable`;

/** Parameters: the workspace, the file. */
export const REMOVE = `
WITH found AS (
  SELECT f.id, NOT ${IS_USED} AND f.check_at <= COALESCE(f.stored_at, f.check_at) + interval '24 hours' AS removed
  FROM media_files f
  WHERE f.workspace_id = $1::uuid AND f.id = $2::uuid AND f.deleted_at IS NULL
),
removed AS (
  UPDATE media_files f SET deleted_at = now(), check_at = ${DUE_NOW} FROM found
  WHERE f.workspace_id = $1::uuid AND f.id = found.id AND found.removed
    -- Checked again for a row that has changed since, because a message uses it now.
    AND f.check_at <= COALESCE(f.stored_at, f.check_at) + interval '24 hours'
  RETURNING f.id
)
SELECT EXISTS (SELECT 1 FROM removed) AS removed FROM found`;

/**
 * Rows that another worker checks, or that a message begins to use, are skipped. The next check is in a day, or
 * in ten minutes if the file could not be removed. Parameter: the number of rows.
 */
export const TAKE_UNUSED = `
WITH due AS (
  SELECT workspace_id, id FROM media_files WHERE check_at <= now()
  ORDER BY check_at LIMIT $1::int FOR UPDATE SKIP LOCKED
),
checked AS (
  SELECT f.workspace_id, f.id, f.deleted_at IS NOT NULL OR f.stored_at IS NULL OR NOT ${IS_USED} AS unused
  FROM media_files f JOIN due ON due.workspace_id = f.workspace_id AND due.id = f.id
)
UPDATE media_files f SET
  deleted_at = CASE WHEN c.unused THEN COALESCE(f.deleted_at, now()) END,
  check_at = now() + CASE WHEN c.unused THEN interval '10 minutes' ELSE interval '1 day' END
FROM checked c WHERE f.workspace_id = c.workspace_id AND f.id = c.id
RETURNING f.id, f.workspace_id AS "workspaceId", c.unused`;

/** Parameters: the workspaces of the files, the files. */
export const FORGET = `
DELETE FROM media_files
WHERE (workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[])) AND deleted_at IS NOT NULL`;
