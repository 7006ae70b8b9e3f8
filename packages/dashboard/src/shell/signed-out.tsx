// shell/signed-out.tsx: the service wants credentials that the browser no longer sends. Only loading the page makes the
// browser ask for them.
import { Button } from '../components/button.tsx'
import { PageTitle } from '../components/page-title.tsx'
import styles from './shell.module.css'

export function SignedOut() {
  return (
    <main className={styles.alone}>
      <PageTitle tab="Sign in" note="The user name is svc; the password is the token of the service.">
        You are signed out
      </PageTitle>
      <Button weight="strong" onClick={() => location.reload()}>
        Sign in again
      </Button>
    </main>
  )
}
