/** When a waiting round is due; taken from the log for existing ones. */
export const waitingUntil = `
ALTER TABLE rounds ADD COLUMN waiting_until INTEGER;
UPDATE rounds SET waiting_until = (
  SELECT one.value ->> '$[5].until' FROM events e, json_each(e.body) one
  WHERE e.key >= rounds.key AND e.key < (rounds.key / 67108864 + 1) * 67108864
    AND one.value ->> '$[1]' = 'round.waiting' AND one.value ->> '$[4]' = rounds.request_id
  ORDER BY e.key DESC, one.key DESC LIMIT 1)
WHERE state = 'waiting';
CREATE INDEX rounds_due ON rounds (waiting_until) WHERE waiting_until IS NOT NULL;
DROP INDEX approvals_due;
`
