// views/monitors/tools.tsx: a new monitor, for those who may, and tools for the page of rows: its link, its density, its
// export.
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Popup } from '../../components/popup.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useMay } from '../../data/may.ts'
import type { MonitorList } from '../../data/monitors.ts'
import { MoreIcon } from '../../shell/icons.tsx'
import { monitorsAsCsv } from './csv.ts'
import { chooseDensity, useDensity } from './density.ts'
import styles from './monitors.module.css'

export function Tools({ list }: { readonly list: MonitorList | null }) {
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
  return (
    <div className={styles.tools}>
      <span role="status" className={styles.count}>
        {said}
      </span>
      {mayCreate && (
        <Link className={styles.create} href="/manage/new/monitors">
          New<span className={styles.long}> monitor</span>
        </Link>
      )}
      <Popup label="More" button={<MoreIcon />} closesOnClick>
        <Button onClick={() => void copyLink()}>Copy link</Button>
        {list !== null && <Exports list={list} />}
        <Button
          aria-pressed={density === 'compact'}
          onClick={() => chooseDensity(density === 'compact' ? 'comfortable' : 'compact')}
        >
          Compact rows
        </Button>
      </Popup>
    </div>
  )
}

function Exports({ list }: { readonly list: MonitorList }) {
  const name = `monitors-page-${list.page}`
  return (
    <>
      <Button onClick={() => saveFile(`${name}.csv`, 'text/csv;charset=utf-8', monitorsAsCsv(list.monitors))}>
        This page as CSV
      </Button>
      <Button
        onClick={() =>
          saveFile(`${name}.json`, 'application/json', `${JSON.stringify(list.monitors, null, 2)}\n`)
        }
      >
        This page as JSON
      </Button>
    </>
  )
}
