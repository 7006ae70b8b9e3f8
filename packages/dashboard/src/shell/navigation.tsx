// shell/navigation.tsx: links to the views, and the number of incidents at Alerts.
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useOverview } from '../data/overview.ts'
import { bodyOf } from '../data/reading.ts'
import { formatCount, plural } from '../format/count.ts'
import { useOfferedViews } from '../views/offered-views.ts'
import type { ViewEntry } from '../views/registry.ts'
import styles from './navigation.module.css'

/** Where monitors are made and changed belongs to their list. */
const ofMonitors = /^\/manage\/(new\/)?monitors(\/|$)/

function viewOf(location: string, views: readonly ViewEntry[]): string | undefined {
  if (ofMonitors.test(location)) return '/monitors'
  return views.find(({ path }) => location === path || (path !== '/' && location.startsWith(`${path}/`)))
    ?.path
}

export function Navigation() {
  const [location] = useLocation()
  const views = useOfferedViews()
  const incidents = bodyOf(useOverview())?.incidents ?? 0
  const here = viewOf(location, views)
  const row = useRef<HTMLElement>(null)
  // On a phone the row is longer than the screen: the view that is shown is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: signing in adds views before it.
  useEffect(() => {
    if (here !== undefined)
      row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [here, views.length])
  return (
    <nav ref={row} className={styles.navigation} aria-label="Views">
      {views.map(({ path, name }) => {
        const isHere = path === here
        return (
          <Link key={path} href={path} className={styles.link} aria-current={isHere ? 'page' : undefined}>
            {name}
            {path === '/alerts' && incidents > 0 && (
              <b className={styles.count}>
                <span aria-hidden="true">{formatCount(incidents)}</span>
                <span className="visually-hidden">: {plural(incidents, 'open incident')}</span>
              </b>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
