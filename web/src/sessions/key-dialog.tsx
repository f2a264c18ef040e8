import { useState } from 'react'
import { keyState, storeKey } from '../api/key.ts'
import { Problem } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { refresh } from '../state/polled.ts'
import { useStore } from '../state/store.ts'
import { closeOverlay, overlay } from './overlay.ts'

/** Asks for the key where the server wants one. */
export function KeyDialog() {
  const { key, wanted } = useStore(keyState)
  const [typed, setTyped] = useState('')
  const [isPutOff, putOff] = useState(false)
  const isAskedFor = useStore(overlay) === 'key'
  if (!isAskedFor && (wanted === '' || isPutOff)) return null

  // Everything that was refused is read again; with a removed key the page itself is loaded again.
  const use = (next: string): void => {
    if (storeKey(next)) location.reload()
    else {
      refresh('')
      closeOverlay()
    }
  }
  return (
    <Dialog
      title={wanted === '' ? 'Enter a key' : 'Segno asks for a key'}
      onClose={() => {
        putOff(true)
        if (isAskedFor) closeOverlay()
      }}
    >
      <form
        className="side-key"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') use(typed.trim())
        }}
      >
        {wanted === 'KEY_INVALID' && (
          <Problem text="The key this browser has is not valid: it was mistyped, revoked, or has expired." />
        )}
        <p>
          A key says who you are and what you may do. It begins with <code>segno_</code>. Whoever runs Segno makes one
          on its machine, and is shown it once:
        </p>
        <pre className="code-box">npx segno keys add NAME</pre>
        <label>
          Key
          <input
            className="input"
            type="password"
            autoComplete="current-password"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <p className="muted">This browser keeps it until you tell it to forget it.</p>
        <div className="answers row wrap">
          {key !== '' && (
            <Button kind="danger" onClick={() => use('')}>
              Forget the key
            </Button>
          )}
          <Button kind="primary" type="submit" disabled={typed.trim() === ''}>
            Use this key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
