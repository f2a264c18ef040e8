/** The file of a worker next to a module, as .ts or, once compiled, .js. */
export function workerFile(name: string, module: string): URL {
  return new URL(`./${name}${module.endsWith('.js') ? '.js' : '.ts'}`, module)
}
