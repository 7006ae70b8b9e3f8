// shell/shell.tsx: the frame of every view: skip link, bar, banners, keys. While signed out it shows nothing else.
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { ActHost } from '../acting/act-host.tsx'
import { Button } from '../components/button.tsx'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { Loading } from '../components/loading.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useConnection } from '../data/connection.ts'
import { startLiveRefresh } from '../data/live.ts'
import { queryClient } from '../data/query-client.ts'
import { paused } from '../data/refresh.ts'
import { type SessionState, useFollowedSession } from '../data/session.ts'
import { useOfferedViews } from '../views/offered-views.ts'
import { DestinationBanner } from './destination-banner.tsx'
import { EndedBanner } from './ended-banner.tsx'
import { KeyHelp } from './key-help.tsx'
import { type Key, listenForKeys, useKeys } from './keys.ts'
import { LostBanner } from './lost-banner.tsx'
import { noteNavigation } from './navigation-focus.ts'
import styles from './shell.module.css'
import { SignInPage } from './sign-in.tsx'
import { StaleBanner } from './stale-banner.tsx'
import { TopBar } from './top-bar.tsx'

export function Shell({ children }: { readonly children: ReactNode }) {
  const [location, navigate] = useLocation()
  const [helpIsOpen, setHelpIsOpen] = useState(false)
  const isSignedOut = useConnection().state === 'signed-out'
  const session = useFollowedSession()
  const views = useOfferedViews()
  // The stream is refused while signed out; it is reopened afterwards.
  useEffect(() => (isSignedOut ? undefined : startLiveRefresh(queryClient)), [isSignedOut])
  useEffect(listenForKeys, [])
  useFocusOnNavigation(location)
  useKeys(
    useMemo<readonly Key[]>(
      () => [
        { keys: '?', does: 'Show the keys', run: () => setHelpIsOpen(true) },
        { keys: 'p', does: 'Pause or resume refreshing', run: () => paused.set(!paused.get()) },
        ...views.map(({ path, name, keys }) => ({ keys, does: name, run: () => navigate(path) })),
      ],
      [navigate, views],
    ),
  )
  if (isSignedOut) return <SignedOut session={session} />
  return (
    <>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <TopBar />
      <LostBanner />
      <EndedBanner />
      <StaleBanner />
      {/* The panels that show the same answer say that it cannot be drawn. */}
      <ErrorBoundary fallback={null} resetKey={location}>
        <DestinationBanner />
      </ErrorBoundary>
      <main id="content" className={styles.content} tabIndex={-1}>
        <ErrorBoundary fallback={<ViewError />} resetKey={location}>
          {children}
        </ErrorBoundary>
      </main>
      <ActHost />
      {helpIsOpen && <KeyHelp onClose={() => setHelpIsOpen(false)} />}
    </>
  )
}

/** During rendering, not in an effect: the view's effects run before those of the shell. */
function useFocusOnNavigation(location: string): void {
  const [shown, setShown] = useState(location)
  if (shown === location) return
  setShown(location)
  noteNavigation()
  scrollTo(0, 0)
}

/**
 * The service requires credentials. With sessions the page asks for them itself; the address
 * stays, to continue from there.
 */
function SignedOut({ session }: { readonly session: SessionState }) {
  if (session.kind === 'not-served') return <BrowserLogin />
  if (session.kind === 'signed-out') return <SignInPage hasEnded={session.hasEnded} />
  return (
    <main className={styles.alone}>
      <Loading what="The session" />
    </main>
  )
}

/** The browser no longer sends its login, and asks for it only when the page is loaded. */
function BrowserLogin() {
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

/** Replaces a view whose code could not be loaded or that failed as a whole. */
function ViewError() {
  return (
    <>
      <PageTitle note="Its code failed, or could not be loaded, perhaps because the service was updated.">
        This view cannot be shown
      </PageTitle>
      <p>
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </p>
    </>
  )
}
