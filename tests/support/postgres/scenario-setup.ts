import { afterAll, beforeEach } from 'vitest'
import { homesPrefix } from '../store-under-test.ts'
import { dropDatabases } from './fresh-database.ts'
import { LEFT_OUT } from './left-out.ts'

// The tests of a file, and the processes they start, share what their homes have until its end.
process.env['SEGNO_TEST_POSTGRES_FILE'] = `${process.pid}_${Date.now()}`

beforeEach(({ task, skip }) => {
  const found = LEFT_OUT.find(
    ({ file, title }) => task.file.filepath.endsWith(file) && (title === undefined || task.name.includes(title)),
  )
  if (found) skip(found.why)
})
afterAll(() => dropDatabases(homesPrefix()))
