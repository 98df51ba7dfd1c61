// Owns an embedded PostgreSQL until it is killed. Notifies its parent when it accepts connections.
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres';

const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] });
process.send({ url: postgres.url, pid: postgres.pid });
