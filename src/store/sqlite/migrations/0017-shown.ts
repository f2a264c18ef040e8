/** What a tool shows of a call that waits for a decision. */
export const shown = 'ALTER TABLE approvals ADD COLUMN shown TEXT;'
