import { accessSync, constants, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where a command is, as a shell would find it. Throws an error with the code ENOENT where there is none. */
export function findCommand(command: string, path: string, cwd: string): string {
  const places = command.includes('/')
    ? [resolve(cwd, command)]
    : path.split(':').map((folder) => join(folder, command))
  const found = places.find(isProgram)
  if (found === undefined) throw Object.assign(new Error(`${command} was not found`), { code: 'ENOENT' })
  return found
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
