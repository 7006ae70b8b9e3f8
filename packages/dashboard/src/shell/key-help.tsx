// shell/key-help.tsx: the keys that work now, in a native dialog.
import { useEffect, useRef } from 'react'
import { Button } from '../components/button.tsx'
import styles from './key-help.module.css'
import { useRegisteredKeys } from './keys.ts'

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const keys = useRegisteredKeys()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog className={styles.dialog} ref={dialog} onClose={onClose} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl className={styles.keys}>
        {keys.map(({ keys: names, does }) => (
          <div key={`${names} ${does}`}>
            <dt>
              {names.split(/[ +]/).map((name) => (
                <kbd key={name}>{name.length === 1 ? name.toUpperCase() : name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  )
}
