interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly 'x-needs'?: string
  readonly parameters?: readonly unknown[]
  readonly requestBody?: unknown
  readonly responses?: Readonly<Record<string, unknown>>
}

interface Document {
  readonly info: { readonly version: string }
  readonly paths?: unknown
  readonly components?: unknown
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
}

const METHODS = ['get', 'post', 'patch', 'delete'] as const

/** The description at /openapi.json, to read: without a script and without a request to anywhere. */
export function docsPage(document: Document): string {
  const paths = Object.entries((document.paths ?? {}) as Record<string, Record<string, Operation>>)
  const operations = paths.flatMap(([path, methods]) =>
    METHODS.flatMap((method) => (methods[method] ? [operation(method, path, methods[method])] : [])),
  )
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Record<string, unknown> }
  const shapes = Object.entries(schemas).map(
    ([name, schema]) => `<details id="${escape(name)}"><summary>${escape(name)}</summary>${code(schema)}</details>`,
  )
  return page(
    'Segno: the HTTP API',
    `<h1>Segno <small>${escape(document.info.version)}</small></h1>
<p>JSON in and out; errors are problem documents with a <code>code</code> and a <code>requestId</code>.
The same as data: <a href="/openapi.json">/openapi.json</a>.</p>
${operations.join('\n')}<h2>Bodies</h2>${shapes.join('\n')}`,
  )
}

function operation(method: string, path: string, { summary = '', description = '', ...more }: Operation): string {
  const parameters = (more.parameters ?? []) as readonly Parameter[]
  const rows = parameters.map(
    (one) =>
      `<li><code>${escape(one.name)}</code> in ${escape(one.in)}${one.required ? ', required' : ''}` +
      `${one.description ? `: ${escape(one.description)}` : ''}</li>`,
  )
  const needs = more['x-needs'] ?? 'anyone'
  const answers = Object.keys(more.responses ?? {}).join(', ')
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escape(path)}</code> ${escape(summary)}</summary>
<p>${escape(description)}</p><p>Needs: <code>${escape(needs)}</code>. Answers: ${escape(answers)}.</p>
<ul>${rows.join('')}</ul>${more.requestBody === undefined ? '' : code(more.requestBody)}</details>`
}

const code = (value: unknown): string => `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
details { border-top: 1px solid #8884; padding: .4rem 0; } summary { cursor: pointer; }
pre { overflow: auto; padding: .8rem; background: #8882; border-radius: .4rem; font-size: .85rem; }
small { opacity: .6; }
</style></head><body>${content}</body></html>
`
}
