const numbers = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen end.'

const prose =
  'A paragraph of **some length** that has to be broken into several lines in a narrow window, with `code` and ' +
  'a [link](https://example.org/somewhere) in it.'

export const markdown = [
  '# A heading',
  '',
  prose,
  '',
  '- a first point that is long enough to be broken in a narrow window as well',
  '- a second point',
  '',
  '```sh',
  'npm ci',
  '```',
  '',
  '| name | value |',
  '|---|---|',
  '| answer | 42 |',
].join('\n')

export const evil = 'start \x1b]0;pwned\x07 \x1b[2J\x1b[31m \x9b5n \u202eback\u202c \x1b]52;c;aGk=\x07 stop'

/** the name of a tool that nobody has */
export const evilName = 'x\x1b]0;pwned\x07\x1b[31mred'

const write = (content: string) => ({ calls: [{ name: 'write_file', args: { path: 'notes.txt', content } }] })
const file = (path: string) => ({ name: 'write_file', args: { path, content: path } })
const command = (text: string) => ({ name: 'bash', args: { command: text } })
const longText = Array.from({ length: 60 }, (_, at) => `line ${at} of the text`).join('\n')
const sums = Array.from({ length: 110 }, (_, at) => ({ name: 'calculator', args: { expression: `${at}+1` } }))

/** What the scripted model says in these tests. */
export const script = {
  scenarios: [
    { when: '^slow', turns: [{ text: numbers, delayMs: 40, deltaChars: 4 }] },
    { when: '^show', turns: [{ text: markdown, deltaChars: 7 }] },
    { when: '^evil', turns: [{ text: evil, deltaChars: 1 }] },
    {
      when: '^sum',
      turns: [
        { text: 'Let me see.', calls: [{ name: 'calculator', args: { expression: '6*7' } }] },
        { text: 'It is what the call says.' },
      ],
    },
    { when: '^save', turns: [write('first'), { text: 'Saved.' }] },
    { when: '^both', turns: [{ calls: [file('a.txt'), file('b.txt')] }, { text: 'Both.' }] },
    { when: '^three', turns: [{ calls: [file('a.txt'), file('b.txt'), file('c.txt')] }, { text: 'Three.' }] },
    {
      when: '^mixed',
      turns: [{ calls: [file('a.txt'), command('ls && rm -rf .'), file('b.txt')] }, { text: 'Mixed.' }],
    },
    { when: '^danger', turns: [{ calls: [command('ls && rm -rf .')] }, { text: 'Removed.' }] },
    { when: '^long', turns: [write(longText), { text: 'Long.' }] },
    { when: '^hidden', turns: [write(`first\n${evil}\nlast`), { text: 'Hidden.' }] },
    { when: '^many', turns: [{ calls: sums }, write('first'), { text: 'Many.' }] },
    {
      when: '^unheard',
      turns: [{ calls: [{ name: evilName, args: { a: 'b' } }], deltaChars: 1, delayMs: 60 }, { text: 'Oh.' }],
    },
    { when: '^replace', turns: [write('second'), { text: 'Replaced.' }] },
    { when: '^refused', turns: [{ text: '', fault: { kind: 'error', status: 401 } }] },
  ],
  otherwise: { text: 'Echo: {{message}}' },
}
