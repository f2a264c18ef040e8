import { createSegno } from '../../../../src/app.ts'
import { Problem } from '../../../../src/contract/problem.ts'

/** A process of its own that opens Segno on a folder, as another user if one is named, and tells how that went. */
const [home = '', user] = process.argv.slice(2)
if (user !== undefined) {
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}
try {
  const segno = await createSegno({ home, env: {} })
  await segno.close()
  console.log('opened')
} catch (error) {
  console.log(error instanceof Problem ? `${error.code} ${error.message}` : `no Problem but ${String(error)}`)
}
