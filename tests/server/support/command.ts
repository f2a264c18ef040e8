import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { segno as run, serving as serve, type Ran, type ServingChild } from '../../scenarios/account/support/cli.ts'

/** What was compiled once is kept: half the time of a command. */
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'segno-compiled') }

/** `segno …` as a person would run it, to its end. */
export const segno = (
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> => run(home, args, { ...COMPILED, ...env })

/** `segno serve`, ready; told to stop when the test ends. */
export const serving = (home: string, env: Readonly<Record<string, string>> = {}): Promise<ServingChild> =>
  serve(home, { ...COMPILED, ...env })
