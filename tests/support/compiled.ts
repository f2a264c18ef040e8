import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For the environment of processes that tests start: what was compiled once is kept, half the time of a command. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'segno-compiled') }
