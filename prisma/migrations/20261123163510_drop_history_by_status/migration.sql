-- By hand: messages_history_idx has the same columns, for the release before too.
DROP INDEX "messages_workspace_id_direction_status_id_idx";
