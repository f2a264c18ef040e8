import { beforeEach } from 'vitest'
import { WIRE } from '../support/compose-under-test.ts'
import { LEFT_OUT } from './left-out.ts'

beforeEach(({ task, skip }) => {
  const found = LEFT_OUT.find(
    ({ file, title, formats }) =>
      task.file.filepath.endsWith(file) && task.name.includes(title) && WIRE !== undefined && formats.includes(WIRE),
  )
  if (found) skip(found.why)
})
