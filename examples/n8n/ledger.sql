-- What n8n remembers of Segno's runs, in a PostgreSQL that n8n can reach.
-- The primary key is what makes a workflow run once: of two that insert the same key, one finds the row of the other.
CREATE TABLE segno_ledger (
  key            text PRIMARY KEY,
  execution      text NOT NULL,         -- of n8n, the one that does the work
  callback_url   text NOT NULL,
  callback_token text NOT NULL,
  output         jsonb,                 -- NULL until the work is done
  begun_at       timestamptz NOT NULL DEFAULT now()
);
