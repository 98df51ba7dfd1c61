import type pg from 'pg';

/** Records an attempt for each test event of a webhook endpoint, as a worker does. */
export async function deliverTestEvents(pool: pg.Pool): Promise<void> {
  await pool.query(
    `CREATE FUNCTION deliver_test() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       NEW.attempts := '[{"at":"2026-11-20T04:33:00.123Z","status_code":204,"duration_ms":3,"error":null,"response":""}]';
       RETURN NEW;
     END $$`,
  );
  await pool.query(
    `CREATE TRIGGER deliver_test BEFORE INSERT ON webhook_deliveries
     FOR EACH ROW WHEN (NEW.event_type = 'endpoint.test') EXECUTE FUNCTION deliver_test()`,
  );
}
