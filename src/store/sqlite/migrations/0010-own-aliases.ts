/** An alias is unique per owner, so two people of a tenant may use the same one. */
export const ownAliases = `
DROP INDEX sessions_alias;
CREATE UNIQUE INDEX sessions_alias ON sessions (tenant, owner, alias) WHERE alias IS NOT NULL;
`
