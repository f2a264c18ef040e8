/** Approvals and calls get their owner, for indexes per person; claims get an age, which for old ones begins now. */
export const ownersAndAges = `
ALTER TABLE approvals ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE approvals SET (tenant, owner) = (SELECT tenant, owner FROM sessions WHERE num = approvals.session)
  WHERE session IN (SELECT num FROM sessions);
CREATE INDEX approvals_owner ON approvals (tenant, owner);
CREATE INDEX approvals_owner_pending ON approvals (tenant, owner) WHERE status = 'pending';
CREATE INDEX approvals_due ON approvals (expires_at) WHERE status = 'pending';
DROP INDEX approvals_pending;

ALTER TABLE calls ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE calls SET (tenant, owner) = (SELECT tenant, owner FROM sessions WHERE num = calls.session)
  WHERE session IN (SELECT num FROM sessions);
CREATE INDEX calls_owner ON calls (tenant, owner);

ALTER TABLE claims ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
UPDATE claims SET created_at = unixepoch() * 1000;
CREATE INDEX claims_age ON claims (created_at);
`
