/** The columns of exported messages, in their order. Each has the name of its field in the API. */
export const MESSAGE_COLUMNS = [
  'id',
  'created_at',
  'direction',
  'status',
  'from',
  'to',
  'body',
  'media_urls',
  'segments',
  'error_code',
  'error_detail',
  'sent_by_type',
  'sent_by_id',
  'sent_by_name',
  'provider_sid',
  'scheduled_at',
  'sent_at',
  'delivered_at',
  'updated_at',
  'repeat_of',
  'reference',
  'metadata',
  'encoding',
] as const;

export type MessageColumn = (typeof MESSAGE_COLUMNS)[number];
