/** The file of a thread beside a module. The compiler renames imports of a .ts file, and does not know this for one. */
export function workerFile(name: string, module: string): URL {
  return new URL(`./${name}${module.endsWith('.js') ? '.js' : '.ts'}`, module)
}
