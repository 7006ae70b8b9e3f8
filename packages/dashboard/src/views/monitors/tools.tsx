// views/monitors/tools.tsx: tools for the page of rows: its link, its density, its export.
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useMay } from '../../data/may.ts'
import type { MonitorList } from '../../data/monitors.ts'
import { monitorsAsCsv } from './csv.ts'
import { chooseDensity, useDensity } from './density.ts'
import styles from './monitors.module.css'

export function Tools({ list }: { readonly list: MonitorList }) {
  const density = useDensity()
  const mayCreate = useMay('CreateMonitor')
  const [said, setSaid] = useState('')
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      setSaid('The link is copied.')
    } catch {
      setSaid('The browser does not allow copying here; the address bar has the link.')
    }
  }
  const name = `monitors-page-${list.page}`
  return (
    <div className={styles.tools}>
      <span role="status" className={styles.count}>
        {said}
      </span>
      {mayCreate && (
        <Link className={styles.create} href="/manage/new/monitors">
          New monitor
        </Link>
      )}
      <Button weight="quiet" onClick={() => void copyLink()} onBlur={() => setSaid('')}>
        Copy link
      </Button>
      <Button
        weight="quiet"
        title="The rows of this page"
        onClick={() => saveFile(`${name}.csv`, 'text/csv;charset=utf-8', monitorsAsCsv(list.monitors))}
      >
        CSV
      </Button>
      <Button
        weight="quiet"
        title="The rows of this page"
        onClick={() =>
          saveFile(`${name}.json`, 'application/json', `${JSON.stringify(list.monitors, null, 2)}\n`)
        }
      >
        JSON
      </Button>
      <Button
        aria-pressed={density === 'compact'}
        onClick={() => chooseDensity(density === 'compact' ? 'comfortable' : 'compact')}
      >
        Compact
      </Button>
    </div>
  )
}
