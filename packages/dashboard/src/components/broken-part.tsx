// components/broken-part.tsx: replaces a part of the page that failed to render. It says that the page is at
// fault, not the service or a monitor, and looks like neither empty nor healthy.
import { Button } from './button.tsx'
import styles from './looks.module.css'

export function BrokenPart() {
  return (
    <div className={styles.unavailable} role="alert">
      <p>
        <strong>This part of the page failed.</strong> The service and its checks are not affected. The
        browser’s console has the details.
      </p>
      <Button className={styles.again} onClick={() => location.reload()}>
        Reload the page
      </Button>
    </div>
  )
}
