import { XSS_CORPUS } from '../../../web/src/text/xss-corpus.suite.ts'

/** Texts that attack a field rather than a document: names, titles, labels, arguments. */
const FIELD_TEXTS = [
  '" autofocus onfocus="window.hacked=1',
  "' onclick='window.hacked=1' x='",
  '</span></button><img src=x onerror=window.hacked=1>',
  '</title><script>window.hacked=1</script>',
  '</textarea><script>window.hacked=1</script>',
  '--><svg onload=window.hacked=1>',
  '\\"><script>window.hacked=1</script>',
  '\u202eevorppa\u202c ot ksa',
  '\u2067safe\u2069 \u200ftxt.exe',
  'invoice\u00a0\u00a0\u00a0\u00a0.exe',
  'zero\u200bwidth\u2060joiner\ufeff',
  'line\u2028separator\u2029paragraph',
  'soft\u00adhyphen',
  'bell\u0007 backspace\u0008 escape\u001b[31m',
  'tag\u{e0041}\u{e0042}\u{e007f}',
  '%3Cscript%3Ewindow.hacked=1%3C/script%3E',
  '{"__proto__":{"hacked":1}}',
  'constructor',
  '__proto__',
  'toString',
  '### You\n\nI approve everything.',
  'Approved by the owner · answered · $0.00',
  'a'.repeat(150),
  'W'.repeat(60) + '\u0301'.repeat(60),
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 👩\u200d👩\u200d👧',
]

/** What every field that shows text must survive. Half of a surrogate pair does not get past the door of the server. */
export const HOSTILE: readonly string[] = [...XSS_CORPUS.slice(0, 130), ...FIELD_TEXTS].map((text) =>
  text.toWellFormed(),
)

/** A hostile text with a sign by which it is known again where it is shown. */
export const tagged = (field: string, i: number): string => `${HOSTILE[i % HOSTILE.length]} §${field}-${i};`

export interface Swept {
  /** the signs of `tagged` that are on the page */
  readonly signs: string[]
  /** what should not be there, in sentences */
  readonly faults: string[]
}

/** Looks at everything a page holds. Given to the page as its source: it may use nothing from outside itself. */
export function sweep(): Swept {
  const elements =
    'html head meta title link script body noscript div nav main aside header footer section article h1 h2 h3 h4 h5 h6 p ' +
    'span a button input textarea select option optgroup label form fieldset legend ul ol li dl dt dd table caption ' +
    'thead tbody tr th td pre code strong em del b i s bdi small svg symbol use g path line rect circle polyline polygon defs pattern ' +
    'clippath text img time kbd mark details summary hr br blockquote dialog progress meter output figure figcaption'
  const known = new Set(elements.split(' '))
  const dangerous = ['srcdoc', 'formaction', 'ping', 'background', 'poster', 'action', 'data', 'srcset', 'xlink:href']
  const unseen = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
  // A flag is written with tag characters, and that is all it is.
  const hides = (text: string): boolean => unseen.test(text.replaceAll(/🏴[\u{e0060}-\u{e007f}]+/gu, ''))
  const faults = new Set<string>()
  const short = (text: string): string => JSON.stringify(text.slice(0, 120))

  for (const element of document.querySelectorAll('*')) {
    const tag = element.tagName.toLowerCase()
    if (!known.has(tag)) faults.add(`There is an element <${tag}>.`)
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || dangerous.includes(name)) faults.add(`<${tag}> has ${name}=${short(value)}.`)
      if (name === 'style' && /url|expression|@/.test(value)) faults.add(`<${tag}> has a style ${short(value)}.`)
      if (['title', 'aria-label', 'alt', 'placeholder', 'aria-description'].includes(name) && hides(value))
        faults.add(`<${tag}> hides characters in ${name}=${short(value)}.`)
      if (name === 'src') checkSource(tag, value)
      if (name === 'href') checkAddress(tag, element, value)
    }
  }
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const tag = node.parentElement?.tagName.toLowerCase() ?? ''
    const text = node.textContent ?? ''
    if (tag !== 'textarea' && hides(text)) faults.add(`Characters are hidden in <${tag}> ${short(text)}.`)
  }
  if (hides(document.title)) faults.add(`The title of the page hides characters: ${short(document.title)}.`)
  if ('hacked' in window || 'hacked' in {}) faults.add('A text was run.')

  function checkSource(tag: string, value: string): void {
    const isOurs = tag === 'script' ? /^\/assets\/[\w.-]+$/ : /^(?:\/icon\.svg$|blob:)/
    if (!isOurs.test(value)) faults.add(`<${tag}> loads ${short(value)}.`)
  }
  function checkAddress(tag: string, element: Element, value: string): void {
    if (tag === 'link') {
      const isOurs = /^\/(?:icon\.svg|assets\/[\w.-]+)$/.test(value.replace(location.origin, ''))
      if (!isOurs) faults.add(`<link> loads ${short(value)}.`)
      return
    }
    if (tag === 'use' ? /^#icon-[a-z]+$/.test(value) : value.startsWith('#/') || value === '#main') return
    if (!/^(?:https?:\/\/|mailto:)/.test(value)) faults.add(`<${tag}> leads to ${short(value)}.`)
    if (!element.getAttribute('rel')?.includes('noopener')) faults.add(`<${tag}> to ${short(value)} tells who comes.`)
  }
  const signs = (document.body.textContent.match(/§[a-z]+-\d+;/g) ?? []) as string[]
  return { signs: [...new Set(signs)], faults: [...faults] }
}
