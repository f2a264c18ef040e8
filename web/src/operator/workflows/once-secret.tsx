import { Button } from '../../parts/button.tsx'
import { CodeBox } from '../../parts/code-box.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'

/** A secret that was just made. Nobody can read it again. */
export function OnceSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="The secret, shown once" onClose={onClose}>
      <p>
        Both sides sign with it, as Standard Webhooks says. Keep it where the other side runs: it is not shown again.
      </p>
      <div className="row">
        <CodeBox label="Secret" content={secret} />
        <CopyButton label="Copy the secret" text={() => secret} />
      </div>
      <div className="answers row wrap">
        <Button kind="primary" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  )
}
