// views/status-pages: the pages that customers see, as they see them now, and what people write on them. The URL names the page
// and the monitor that is to be written about.
import { type Config, sessionEditions, v2 } from '@pulseward/contract'
import { useState } from 'react'
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Panel } from '../../components/panel.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useParameter } from '../../components/use-parameter.ts'
import { useConfig } from '../../data/config.ts'
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useSession } from '../../data/session.ts'
import { useStatusIncidents, useStatusPages } from '../../data/status-pages.ts'
import { useV2Monitor } from '../../data/v2-reading.ts'
import { useV2 } from '../../data/v2-request.ts'
import { plural } from '../../format/count.ts'
import { isOpen } from './incident-draft.ts'
import { PagePanel } from './page-panel.tsx'
import styles from './status-pages.module.css'
import { type WriteAsked, WriteDialog } from './write-dialog.tsx'

const servesSessions: ReadonlySet<Config['edition']> = new Set(sessionEditions)

export default function StatusPages() {
  const session = useSession()
  const config = bodyOf(useConfig())
  if (config !== null && !servesSessions.has(config.edition))
    return <Refusal>People write on status pages in the edition next.</Refusal>
  if (session.kind === 'unknown') return <Loading what="The page" />
  if (session.kind !== 'signed-in') return <Refusal>Sign in to see status pages here.</Refusal>
  return <Shown />
}

function Refusal({ children }: { readonly children: string }) {
  return (
    <PageTitle tab="Status pages" note={children}>
      Status pages
    </PageTitle>
  )
}

function Shown() {
  const pages = useStatusPages()
  const incidents = bodyOf(useStatusIncidents())?.items ?? []
  const open = incidents.filter(isOpen).length
  const sentence =
    open === 0 ? 'Customers read of no incident' : `Customers read of ${plural(open, 'incident')}`
  return (
    <>
      <PageTitle tab="Status pages">
        {pages.available && pages.body.items.length > 0 ? `${sentence}.` : 'Status pages'}
      </PageTitle>
      <ReadingView reading={pages} what="The list of status pages">
        {({ items, nextCursor }) => (
          <Pages pages={items} incidents={incidents} isCut={nextCursor !== undefined} />
        )}
      </ReadingView>
    </>
  )
}

interface PagesProps {
  readonly pages: readonly v2.StatusPage[]
  readonly incidents: readonly v2.StatusIncident[]
  readonly isCut: boolean
}

function Pages({ pages, incidents, isCut }: PagesProps) {
  const requests = useV2()
  const mayWrite = useMay('CreateStatusIncident')
  const [asked, setAsked] = useState<WriteAsked | null>(null)
  const [fromMonitor, forget] = useAskedByUrl(pages)
  const shown = asked ?? fromMonitor
  if (pages.length === 0)
    return (
      <Panel title="Pages">
        <Empty>
          There is no status page. Create one under <Link href="/manage/status-pages">Manage</Link> or in a
          fleet file.
        </Empty>
      </Panel>
    )
  return (
    <>
      <PanelGroup>
        {pages.map((page) => (
          <PagePanel
            key={page.metadata.id}
            page={page}
            incidents={incidents.filter(({ spec }) => spec.pageRef === page.metadata.id)}
            onWrite={mayWrite ? (incident) => setAsked({ page, incident, about: [] }) : null}
          />
        ))}
      </PanelGroup>
      {isCut && <p className={styles.quiet}>There are more pages than are shown here.</p>}
      {shown !== null && requests !== null && mayWrite && (
        <WriteDialog
          asked={shown}
          requests={requests}
          onClose={() => {
            setAsked(null)
            forget()
          }}
        />
      )}
    </>
  )
}

/** What a link from the page of a monitor asks for. */
function useAskedByUrl(pages: readonly v2.StatusPage[]): [asked: WriteAsked | null, forget: () => void] {
  const [pageId, setPage] = useParameter('page')
  const [monitorId] = useParameter('about')
  const monitor = bodyOf(useV2Monitor(pageId === null ? null : monitorId))
  const page = pages.find(({ metadata }) => metadata.id === pageId)
  const asked =
    page === undefined || monitor === null
      ? null
      : { page, incident: null, about: v2.componentsWith(page.spec, monitor) }
  return [asked, () => pageId !== null && setPage(null, { replace: true })]
}
