// shell/top-bar.tsx: the name and edition, the views, search, and the state of the page.
import { Link } from 'wouter'
import { IconButton } from '../components/button.tsx'
import { useConfig } from '../data/config.ts'
import { bodyOf } from '../data/reading.ts'
import { chooseAppearance, useIsDark } from '../theme/appearance.ts'
import { Account } from './account.tsx'
import { ConnectionState } from './connection-state.tsx'
import { FindMonitor } from './find-monitor.tsx'
import { Mark, MoonIcon, SunIcon } from './icons.tsx'
import { Navigation } from './navigation.tsx'
import styles from './top-bar.module.css'

export function TopBar() {
  const config = bodyOf(useConfig())
  return (
    <header className={styles.bar}>
      <Link href="/" className={styles.name}>
        <Mark />
        <span>Pulseward</span>
        {config !== null && (
          <span className={styles.edition} title={`Edition ${config.edition}, version ${config.version}`}>
            {config.edition}
          </span>
        )}
      </Link>
      <div className={styles.views}>
        <Navigation />
      </div>
      <div className={styles.tools}>
        <FindMonitor />
        <ConnectionState />
        <ThemeToggle />
        <Account />
      </div>
    </header>
  )
}

/** Switches to the other appearance. Settings has the way back to System. */
function ThemeToggle() {
  const isDark = useIsDark()
  return (
    <IconButton
      label={isDark ? 'Switch to light' : 'Switch to dark'}
      onClick={() => chooseAppearance(isDark ? 'light' : 'dark')}
    >
      {isDark ? <SunIcon /> : <MoonIcon />}
    </IconButton>
  )
}
