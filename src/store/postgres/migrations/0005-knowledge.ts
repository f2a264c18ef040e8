/** Signs that part words; some servers take any that is not ASCII for a letter. */
const SIGNS =
  '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~' +
  '\u00A0\u00A1\u00AB\u00B7\u00BB\u00BF\u2010\u2011\u2012\u2013\u2014\u2015\u2018\u2019\u201A\u201C\u201D\u201E' +
  '\u2022\u2026\u2039\u203A\u2190\u2192\u3001\u3002\uFF0C\uFFFD'

/**
 * Documents, memories, and what others may want to hear of. Vectors are arrays of numbers, which every server has, so
 * that the tables are the same with and without the extension that compares them, and it can come later.
 */
export const knowledge = `
CREATE TABLE documents (
  id text COLLATE "C" PRIMARY KEY,
  num bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  content_type text NOT NULL,
  source text COLLATE "C",
  version integer NOT NULL,
  status text NOT NULL,
  published_version integer,
  author text NOT NULL,
  editors text NOT NULL,
  reviewer text,
  self_approved integer NOT NULL DEFAULT 0,
  reason text,
  hash text NOT NULL,
  bytes bigint NOT NULL,
  chunks integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  published_at bigint,
  revision integer NOT NULL
);
CREATE INDEX documents_tenant ON documents (tenant, num);
CREATE UNIQUE INDEX documents_source ON documents (tenant, workspace_id, source) WHERE source IS NOT NULL;
CREATE UNIQUE INDEX documents_content ON documents (tenant, workspace_id, hash) WHERE source IS NULL;
CREATE INDEX documents_hash ON documents (tenant, workspace_id, hash);
CREATE INDEX documents_published ON documents (tenant, workspace_id) WHERE published_version IS NOT NULL;

-- The words of a text as they are searched. Without its signs, because the server would take what they join, such as
-- a.b or a/b, for one word.
CREATE FUNCTION words_of(text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $words$
  SELECT to_tsvector('pg_catalog.english', translate($1, '''${SIGNS}', repeat(' ', 100)))
$words$;

CREATE TABLE chunks (
  num bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document bigint NOT NULL REFERENCES documents (num) ON DELETE CASCADE,
  version integer NOT NULL,
  chunk integer NOT NULL,
  place text NOT NULL,
  text text NOT NULL,
  words tsvector NOT NULL GENERATED ALWAYS AS (words_of(place || ' ' || text)) STORED,
  UNIQUE (document, version, chunk)
);
CREATE INDEX chunks_words ON chunks USING gin (words);
-- A search reads the words of many chunks, and the texts of a few.
ALTER TABLE chunks ALTER words SET STORAGE MAIN, ALTER text SET STORAGE EXTERNAL;

CREATE TABLE chunk_vectors (
  chunk bigint NOT NULL REFERENCES chunks (num) ON DELETE CASCADE,
  model text COLLATE "C" NOT NULL,
  vector real[] NOT NULL,
  PRIMARY KEY (chunk, model)
);
CREATE INDEX chunk_vectors_model ON chunk_vectors (model, chunk);
-- Compressing them gains nothing.
ALTER TABLE chunk_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

CREATE TABLE memories (
  id text COLLATE "C" PRIMARY KEY,
  num bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  content text NOT NULL,
  category text NOT NULL,
  importance integer NOT NULL,
  status text NOT NULL,
  method text NOT NULL,
  source text NOT NULL,
  session_id text,
  event_id text,
  supersedes text COLLATE "C",
  model text,
  vector bytea,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  revision integer NOT NULL
);
CREATE INDEX memories_user ON memories (tenant, user_id, num);

CREATE TABLE outbox (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  type text NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  at bigint NOT NULL,
  payload text NOT NULL
);
CREATE INDEX outbox_at ON outbox (at, place);
CREATE INDEX outbox_user ON outbox (tenant, user_id) WHERE user_id IS NOT NULL;

-- The server would keep samples of these beside the tables, also after the rows are erased.
ALTER TABLE documents ALTER title SET STATISTICS 0, ALTER source SET STATISTICS 0, ALTER reason SET STATISTICS 0;
ALTER TABLE chunks ALTER place SET STATISTICS 0, ALTER text SET STATISTICS 0, ALTER words SET STATISTICS 0;
ALTER TABLE chunk_vectors ALTER vector SET STATISTICS 0;
ALTER TABLE memories ALTER content SET STATISTICS 0, ALTER vector SET STATISTICS 0;
`
