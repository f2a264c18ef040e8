/** Opens a store, says how that went, and holds it until killed. Arguments: file, and `as-nobody` to lose all rights. */
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'

const [file = '', who] = process.argv.slice(2)
if (who === 'as-nobody' && process.getuid?.() === 0) process.setuid?.(65534)

try {
  openSqliteStore({ file, durability: 'full' })
  console.log(JSON.stringify({ code: 'OPEN', message: '' }))
  setInterval(() => {}, 1000)
} catch (error) {
  const { code, message } = error as Error & { code?: string }
  console.log(JSON.stringify({ code, message }))
}
