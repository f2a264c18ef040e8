/** Who may run the installation; keys of the local tenant with all permissions keep that right. */
export const operators = `
ALTER TABLE keys ADD COLUMN operator INTEGER NOT NULL DEFAULT 0;
UPDATE keys SET operator = 1 WHERE tenant = 'local' AND role = 'super_admin'
  AND (scopes IS NULL OR EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = '*'));
`
