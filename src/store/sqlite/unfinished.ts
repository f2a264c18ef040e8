import { eventKey } from './event-rows.ts'

const SESSION = eventKey(1, 0)

/** The number of the last event of session `s`, its own or inherited. */
const HEAD = `coalesce((SELECT key % ${SESSION} + n - 1 FROM events
  WHERE key >= s.num * ${SESSION} AND key < (s.num + 1) * ${SESSION} ORDER BY key DESC LIMIT 1), s.parent_seq, 0)`

/** It is asked every second, so it looks at open rounds and waiting inputs through their indexes and at nothing else. */
export const UNFINISHED = `
  WITH running (num) AS (SELECT key / ${SESSION} FROM rounds WHERE state = 'running' AND state <> 'ended'),
    looked (num, seen) AS (SELECT session, min(coalesce(seen, -1)) FROM inputs GROUP BY session),
    waiting (num) AS (SELECT s.num FROM looked JOIN sessions s ON s.num = looked.num WHERE looked.seen < ${HEAD})
  SELECT s.id FROM sessions s WHERE s.deleted = 0 AND s.num IN (SELECT num FROM running UNION SELECT num FROM waiting)
  ORDER BY s.num NOT IN running, s.num`
