import { Dialog } from '../parts/dialog.tsx'

const KEYS: readonly (readonly [name: string, keys: readonly (readonly [keys: string, does: string])[]])[] = [
  [
    'Everywhere',
    [
      ['Ctrl K, ⌘ K', 'go to or do anything'],
      ['/', 'search conversations'],
      ['?', 'this list'],
      ['F2', 'to what waits for your decision'],
      ['Esc', 'close what is open, or else stop the answer; never what waits for you'],
    ],
  ],
  [
    'Writing',
    [
      ['Enter', 'send'],
      ['Shift Enter', 'a new line'],
      ['↑', 'in an empty field: edit the last message'],
    ],
  ],
  [
    'Reading',
    [
      ['J, K', 'next and previous message, or event'],
      ['A, D', 'on a question that has the focus: approve, deny'],
      ['↑ ↓', 'through conversations, menus and lists'],
      ['← →', 'between the tabs of the inspector'],
      ['Enter', 'open or unfold; it never approves'],
    ],
  ],
]

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {KEYS.map(([name, keys]) => (
        <section key={name} className="side-keys">
          <h3 className="side-day">{name}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
