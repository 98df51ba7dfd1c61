/** The type of a message's event `e`, as `webhookTypeOf` returns it. */
export const EVENT_TYPE = `CASE e.type WHEN 'received' THEN 'message.received'
  WHEN 'created' THEN 'message.created' WHEN 'scheduled' THEN 'message.created'
  ELSE 'message.updated' END`;

/**
 * Events that were delivered at the first attempt have no row of their own. They are items of their
 * batch `b`.
 */
export const DELIVERED_ITEMS = `
webhook_batches b CROSS JOIN LATERAL unnest(b.events) WITH ORDINALITY AS item(event_seq, i)`;
export const IS_DELIVERED_ITEM = `
b.statuses[item.i] <> 0 AND NOT EXISTS (
  SELECT FROM webhook_deliveries d
  WHERE d.workspace_id = b.workspace_id AND d.endpoint_id = b.endpoint_id AND d.sequence = b.first_sequence + item.i - 1)`;
