import { parseDocument } from '../../../src/knowledge/parse/parse-document.ts'
import { LIMITS, SLOW_HTML } from './documents.ts'

/** A program that is killed while it reads a document. */
await parseDocument(SLOW_HTML, 'text/html', { limits: LIMITS })
