import { withClient } from '../support/postgres/with-client.ts'
import type { InDatabase, Reservation } from './commit-order.ts'
import { allNoted, eventsIn } from './events-in.ts'

/**
 * Notes are made at the end of each transaction, when it has the rows it counts in: of two that count in the same one, the
 * first to have it is noted first.
 */
const NOTE = `
CREATE TABLE commit_order (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, session_id text, seq integer);
CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO commit_order (session_id, seq) VALUES (new.session_id, new.seq);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER note_commit AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION note_commit()`

export const noteOnPostgres = (url: string): Promise<void> =>
  withClient(url, async (client) => void (await client.query(NOTE)))

export const readPostgres = (url: string): Promise<InDatabase> =>
  withClient(url, async (client) => {
    const rows = async <Row extends object>(sql: string): Promise<Row[]> => (await client.query<Row>(sql)).rows
    const noted = await rows<{ session: string; seq: number; body: string }>(
      `SELECT e.session_id AS session, e.seq, e.body FROM commit_order c
       JOIN events e ON e.session_id = c.session_id AND e.seq = c.seq ORDER BY c.n`,
    )
    const [counted] = await rows<{ stored: number; pending: number }>(
      `SELECT (SELECT count(*)::integer FROM events) AS stored,
         (SELECT count(*)::integer FROM approvals WHERE status = 'pending') AS pending`,
    )
    allNoted(counted?.stored ?? 0, noted.length)
    return {
      commits: noted.map(({ session, seq, body }) => eventsIn(body, session, seq)),
      reservations: await rows<Reservation>(
        `SELECT settled_at::float8, spent_tokens::float8, spent_cost::float8 FROM reservations`,
      ),
      pending: counted?.pending ?? 0,
    }
  })
