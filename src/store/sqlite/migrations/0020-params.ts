/** How the model of a session is to answer, as JSON. */
export const params = 'ALTER TABLE sessions ADD COLUMN params TEXT;'
