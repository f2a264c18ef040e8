import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Line } from '../report.ts'

const ASSETS = join(import.meta.dirname, '../../dist/web/assets')
const LIMIT_KB = 150

/** What a browser must load, as it is sent. Its floor is what is allowed. */
export function measureBundle(): Line[] {
  return [
    { name: 'JavaScript, gzip', kb: sizeOf('*.js'), limit: LIMIT_KB },
    { name: 'style sheets, gzip', kb: sizeOf('*.css') },
  ].map(({ name, kb, limit }) => ({
    name,
    segno: `${kb.toFixed(1)} KB`,
    floor: '',
    ratio: kb / LIMIT_KB,
    ...(limit !== undefined && { aim: { text: `≤ ${limit} KB`, reached: kb <= limit } }),
  }))
}

const sizeOf = (pattern: string): number =>
  globSync(pattern, { cwd: ASSETS }).reduce((sum, file) => sum + gzipSync(readFileSync(join(ASSETS, file))).length, 0) /
  1000
