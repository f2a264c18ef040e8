import type { App } from './route.ts'

type Document = ReturnType<App['getOpenAPI31Document']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** /openapi.json as a page without scripts and without requests to other servers. */
export function docsPage(document: Document): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => (methods[method] ? [operation(method, path, methods[method])] : [])),
  )
  const shapes = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `<details id="${escape(name)}"><summary>${escape(name)}</summary>${code(schema)}</details>`,
  )
  return page(`<h1>Segno <small>${escape(document.info.version)}</small></h1>
<p>JSON in and out; errors are problem documents with a <code>code</code> and a <code>requestId</code>.
The same as data: <a href="/openapi.json">/openapi.json</a>.</p>
${operations.join('\n')}<h2>Bodies</h2>${shapes.join('\n')}`)
}

function operation(method: string, path: string, { summary = '', description = '', ...more }: Operation): string {
  const parameters = (more.parameters ?? []).filter((one) => 'name' in one)
  const rows = parameters.map(
    (one) =>
      `<li><code>${escape(one.name)}</code> in ${escape(one.in)}${one.required ? ', required' : ''}` +
      `${one.description ? `: ${escape(one.description)}` : ''}</li>`,
  )
  const needs = (more['x-needs'] as string | undefined) ?? 'anyone'
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

function page(content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Segno: the HTTP API</title>
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
