/**
 * What assistants are told besides the conversation. `parts` holds the texts that events name by their hash; `owner` is
 * the user whose words a text has. In `part_refs`, `seq` is the first event of the session that names the part.
 */
export const prompts = `
CREATE TABLE prompts (
  id text COLLATE "C" PRIMARY KEY,
  num bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  content text NOT NULL,
  status text NOT NULL,
  author text NOT NULL,
  editors text NOT NULL,
  reviewer text,
  self_approved integer NOT NULL DEFAULT 0,
  reason text,
  tokens bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  activated_at bigint,
  revision integer NOT NULL,
  UNIQUE (tenant, workspace_id, name, version)
);
CREATE UNIQUE INDEX prompts_active ON prompts (tenant, workspace_id) WHERE status = 'active';
CREATE INDEX prompts_tenant ON prompts (tenant, num);

CREATE TABLE preferences (
  tenant text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  body text NOT NULL,
  version integer NOT NULL,
  salt text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant, user_id)
);

CREATE TABLE parts (
  hash text COLLATE "C" PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C",
  salt text,
  text text NOT NULL
);
CREATE INDEX parts_owner ON parts (tenant, owner) WHERE owner IS NOT NULL;

CREATE TABLE part_refs (
  hash text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  PRIMARY KEY (hash, session_id)
);
CREATE INDEX part_refs_session ON part_refs (session_id, seq);

-- Stores parts, each given once, and who refers to them; parts that are there are locked too, so that they are not
-- erased before the reference is visible. Words of somebody who had them forgotten meanwhile do not come back; who is
-- about to forget them waits for this.
CREATE FUNCTION put_parts(hashes text[], tenants text[], owners text[], salts text[], texts text[],
  named text[], sessions text[], seqs integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  there text[];
BEGIN
  PERFORM FROM preferences p JOIN (SELECT DISTINCT * FROM unnest(tenants, owners)) AS n (tenant, owner)
    ON p.tenant = n.tenant AND p.user_id = n.owner ORDER BY p.tenant, p.user_id FOR KEY SHARE OF p;
  SELECT coalesce(array_agg(hash), '{}') INTO there
  FROM (SELECT hash FROM parts WHERE hash = ANY (hashes) ORDER BY hash FOR KEY SHARE) p;
  INSERT INTO parts (hash, tenant, owner, salt, text)
  SELECT n.* FROM unnest(hashes, tenants, owners, salts, texts) AS n (hash, tenant, owner, salt, text)
  WHERE n.hash <> ALL (there) AND (n.owner IS NULL
    OR EXISTS (SELECT FROM preferences p WHERE p.tenant = n.tenant AND p.user_id = n.owner)) ORDER BY n.hash
  ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash;
  INSERT INTO part_refs (hash, session_id, seq)
  SELECT n.* FROM unnest(named, sessions, seqs) AS n (hash, session_id, seq) ORDER BY n.hash, n.session_id
  ON CONFLICT DO NOTHING;
END $$;

-- Erases those of these parts that nobody refers to; references are read after the parts are locked.
CREATE FUNCTION erase_unnamed_parts(hashes text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  erased integer;
BEGIN
  PERFORM FROM parts WHERE hash = ANY (hashes) ORDER BY hash FOR UPDATE;
  DELETE FROM parts p WHERE p.hash = ANY (hashes) AND NOT EXISTS (SELECT FROM part_refs r WHERE r.hash = p.hash);
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $$;
`
