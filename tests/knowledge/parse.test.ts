import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/contract/problem.ts'
import { DOCUMENT_TYPES } from '../../src/knowledge/parse/document-types.ts'
import { parseDocument } from '../../src/knowledge/parse/parse-document.ts'
import { DOCX, LIMITS, PDF, SLOW_HTML } from './support/documents.ts'
import { makeDocx, makeDocxWith } from './support/make-docx.ts'
import { makeEncryptedPdf, makePdf, makePdfBomb } from './support/make-pdf.ts'
import { bombEntry, entry, makeZip } from './support/make-zip.ts'
import { groupOf, leadersOf } from './support/processes.ts'

const parse = (content: string | Uint8Array, type: string, limits: Partial<typeof LIMITS> = {}, signal?: AbortSignal) =>
  parseDocument(typeof content === 'string' ? Buffer.from(content) : content, type, {
    limits: { ...LIMITS, ...limits },
    signal,
  })

const refusal = async (...args: Parameters<typeof parse>): Promise<string> => {
  const problem = await parse(...args).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field: 'content' })
  return (problem as Problem).message
}

describe('each type becomes chunks', () => {
  test('Markdown follows its headings', async () => {
    expect(await parse('\uFEFF# Install\n\nFirst.\n\n## On Debian\n\napt', 'text/markdown; charset=utf-8')).toEqual([
      { place: 'Install', text: '# Install\n\nFirst.' },
      { place: 'Install › On Debian', text: '## On Debian\n\napt' },
    ])
  })

  test('plain text has no headings', async () => {
    expect(await parse('# not one', 'text/plain')).toEqual([{ place: 'part 1', text: '# not one' }])
  })

  test('HTML is read as people see it', async () => {
    const html = `<title>t</title><script>alert(1)</script><nav>Home | About</nav><h1>One</h1><p># no heading</p><p hidden>secret</p>
      <table><tr><td>a</td><td>b</td></tr></table><a href="javascript:x">link</a> <a href="https://a.b">out</a>`
    expect(await parse(html, 'text/html')).toEqual([
      { place: 'One', text: '# One\n\n\\# no heading\n\n| a | b |\n\nlink [out](https://a.b)' },
    ])
  })

  test('DOCX follows its styles, and its pictures are not unpacked', async () => {
    const docx = makeDocx(['# One', 'Text.', '## Two', 'More.'], [bombEntry('word/media/a.png', 200)])
    expect(await parse(docx, DOCX)).toEqual([
      { place: 'One', text: '# One\n\nText.' },
      { place: 'One › Two', text: '## Two\n\nMore.' },
    ])
  })

  test('PDF has pages, and empty ones count', async () => {
    expect(await parse(makePdf(['Hello', '', 'World']), PDF)).toEqual([
      { place: 'page 1', text: 'Hello' },
      { place: 'page 3', text: 'World' },
    ])
  })

  test('a line of a million characters is read whole', async () => {
    const chunks = await parse('😀'.repeat(500_000), 'text/plain')
    expect(chunks.map(({ text }) => text).join('')).toBe('😀'.repeat(500_000))
  })
})

describe('what cannot be read is refused with its reason', () => {
  test.each(DOCUMENT_TYPES)('an empty document of type %s', async (type) => {
    expect(await refusal('', type)).toContain('has no text')
  })

  test.each([
    ['blanks', ' \n\t\n', 'text/markdown', 'has no text'],
    ['an empty page', '<p> </p>', 'text/html', 'has no text'],
    ['a DOCX without text', makeDocx(['']), DOCX, 'has no text'],
    ['a scan', makePdf(['', '']), PDF, 'OCR'],
    ['an encrypted PDF', makeEncryptedPdf(), PDF, 'password'],
    ['a zip with a password', makeDocx(['a'], [], 1), DOCX, 'password'],
    ['an encrypted DOCX', ole('EncryptedPackage'), DOCX, 'password'],
    ['an old Word document', ole('WordDocument'), DOCX, 'save it as .docx'],
    ['text as PDF', 'hello', PDF, 'not of the type'],
    ['text as DOCX', 'hello', DOCX, 'not of the type'],
    ['a PDF as text', makePdf(['a']), 'text/plain', 'not of the type'],
    ['a zip that is no DOCX', makeZip([entry('a.xml', '<a/>')]), DOCX, 'not of the type'],
    ['a damaged PDF', '%PDF-1.4 and nothing else', PDF, 'damaged'],
    ['a cut DOCX', makeDocx(['hello']).subarray(0, 300), DOCX, 'damaged'],
    ['text in another encoding', Buffer.from([0x61, 0xe4, 0x62]), 'text/plain', 'UTF-8'],
    ['HTML nested too deeply', '<b>'.repeat(50_000), 'text/html', 'damaged or unusual'],
  ])('%s', async (_name, content, type, reason) => {
    expect(await refusal(content, type)).toContain(reason)
  })

  test.each(['image/png', 'text/plain; charset=latin1', ''])('the type "%s"', async (type) => {
    await expect(parse('a', type)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'contentType' })
  })
})

describe('limits end it and say their name and number', () => {
  test.each([
    ['BYTES', { bytes: 1_000 }, 'a'.repeat(1_001), 'text/plain', '1,000'],
    ['CHARS', { chars: 1_000 }, 'a'.repeat(1_001), 'text/markdown', '1,000'],
    ['CHARS', { chars: 10 }, makePdf(['Hello', 'World', '!']), PDF, '10'],
    ['CHUNKS', { chunks: 3 }, '# a\na\n# b\nb\n# c\nc\n# d\nd', 'text/markdown', '3'],
    ['PARSE_MS', { parseMs: 1 }, 'a', 'text/plain', '1'],
    ['MEMORY_BYTES', { memoryBytes: 150_000_000 }, makePdfBomb(1_000), PDF, '150,000,000'],
    ['MEMORY_BYTES', { memoryBytes: 100_000_000 }, SLOW_HTML, 'text/html', '100,000,000'],
  ])('DOCUMENT_%s: %j', async (name, limits, content, type, amount) => {
    const said = await refusal(content, type, limits)
    expect(said).toContain(`than ${amount} `)
    expect(said).toContain(`SEGNO_LIMITS_DOCUMENT_${name}`)
    expect(leadersOf(process.pid)).toEqual([])
  })

  test('a DOCX bomb is refused while it is unpacked, whatever it says about its size', async () => {
    const bomb = makeDocxWith(bombEntry('word/document.xml', 1_000))
    expect(await refusal(bomb, DOCX)).toContain('unpacks to more than 67,108,864 bytes')
  })
})

describe.runIf(process.platform === 'linux')('nothing of the child is left', () => {
  test('when it is aborted, even if it hangs', async () => {
    const abort = new AbortController()
    const reading = parse(SLOW_HTML, 'text/html', {}, abort.signal)
    const [child = 0] = leadersOf(process.pid)
    expect(child).toBeGreaterThan(1)
    process.kill(child, 'SIGSTOP')
    abort.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    await expect.poll(() => groupOf(child)).toEqual([])
  })

  test('when its time is over and it hangs', async () => {
    const reading = refusal(SLOW_HTML, 'text/html', { parseMs: 500 })
    const [child = 0] = leadersOf(process.pid)
    process.kill(child, 'SIGSTOP')
    expect(await reading).toContain('DOCUMENT_PARSE_MS')
    await expect.poll(() => groupOf(child)).toEqual([])
  })

  test('when the system ends it', async () => {
    const reading = refusal(SLOW_HTML, 'text/html')
    const [child = 0] = leadersOf(process.pid)
    process.kill(child, 'SIGKILL')
    expect(await reading).toContain('memory')
    await expect.poll(() => groupOf(child)).toEqual([])
  })

  test('when it has read the document', async () => {
    const reading = parse('a', 'text/plain')
    const [child = 0] = leadersOf(process.pid)
    await reading
    await expect.poll(() => groupOf(child)).toEqual([])
  })

  test('when Segno is killed while the child hangs', async () => {
    const program = new URL('support/parse-slowly.ts', import.meta.url).pathname
    const segno = spawn(process.execPath, [program], { stdio: 'ignore' })
    const ended = new Promise((resolve) => segno.once('exit', resolve))
    await expect.poll(() => leadersOf(segno.pid ?? 0)).toHaveLength(1)
    const [child = 0] = leadersOf(segno.pid ?? 0)
    await expect.poll(() => groupOf(child)).toHaveLength(2)
    process.kill(child, 'SIGSTOP')
    segno.kill('SIGKILL')
    await ended
    await expect.poll(() => groupOf(child)).toEqual([])
  })

  test('nothing starts when it is aborted before', async () => {
    await expect(parse('a', 'text/plain', {}, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
    expect(leadersOf(process.pid)).toEqual([])
  })
})

/** The start of an OLE container, as Office writes for protected and for old documents. */
function ole(stream: string): Buffer {
  return Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504), Buffer.from(stream, 'utf16le')])
}
