// views/manage/resource-table.tsx: the resources of a kind, each with a link. Monitors are searched, since
// there may be a million; other kinds have few enough for pages.
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { TextField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Status } from '../../components/status.tsx'
import { Cell, Heading, Table } from '../../components/table.tsx'
import { useMonitors } from '../../data/monitors.ts'
import { type ListedResource, useResourceList } from '../../data/v2-reading.ts'
import { formatCount, plural } from '../../format/count.ts'
import { editAddress, type KindWords, summaryOf } from './kinds.ts'
import styles from './manage.module.css'
import { PageButtons } from './page-buttons.tsx'

const rowsOfPage = 100
const mostMonitors = 50

export function ResourceTable({ words }: { readonly words: KindWords }) {
  return words.kind === 'Monitor' ? (
    <MonitorTable words={words} />
  ) : (
    <PagedTable key={words.kind} words={words} />
  )
}

function MonitorTable({ words }: { readonly words: KindWords }) {
  const [, navigate] = useLocation()
  const q = new URLSearchParams(useSearch()).get('q') ?? ''
  const [typed, setTyped] = useState(q)
  const list = useMonitors({ q, size: mostMonitors })
  const search = (text: string) => {
    setTyped(text)
    navigate(`/manage/${words.segment}${text === '' ? '' : `?${new URLSearchParams({ q: text })}`}`, {
      replace: true,
    })
  }
  return (
    <Panel title={words.many} aside={words.about}>
      <div className={styles.find}>
        <TextField
          label="Find by name"
          type="search"
          value={typed}
          onChange={({ target }) => search(target.value)}
        />
      </div>
      <ReadingView reading={list} what="The list of monitors">
        {({ monitors, total }) =>
          monitors.length === 0 ? (
            <Empty>{q === '' ? 'There is no monitor yet.' : 'No monitor has this in its name.'}</Empty>
          ) : (
            <>
              <Table
                caption="All monitors"
                head={
                  <>
                    <Heading>Name</Heading>
                    <Heading>ID</Heading>
                    <Heading>Status</Heading>
                  </>
                }
              >
                {monitors.map(({ id, monitor_id, name, ...row }) => (
                  <tr key={id}>
                    <Cell>
                      <Link className={styles.link} href={editAddress(words, monitor_id ?? '')}>
                        {name}
                      </Link>
                    </Cell>
                    <Cell>
                      <code className={styles.id}>{monitor_id}</code>
                    </Cell>
                    <Cell>
                      <Status of={row} />
                    </Cell>
                  </tr>
                ))}
              </Table>
              {total > monitors.length && (
                <p className={styles.note}>
                  The first {formatCount(monitors.length)} of {plural(total, 'monitor')}; a part of the name
                  finds others.
                </p>
              )}
            </>
          )
        }
      </ReadingView>
    </Panel>
  )
}

function PagedTable({ words }: { readonly words: KindWords }) {
  const [turned, setTurned] = useState<readonly string[]>([])
  const list = useResourceList(words.path, { limit: rowsOfPage, cursor: turned.at(-1) })
  return (
    <Panel title={words.many} aside={words.about}>
      <ReadingView reading={list} what={`The list of ${words.many.toLowerCase()}`}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <Empty>There is no {words.one} yet.</Empty>
            ) : (
              <Table
                caption={`All ${words.many.toLowerCase()}`}
                head={
                  <>
                    <Heading>Name</Heading>
                    <Heading>ID</Heading>
                    <Heading>What it is</Heading>
                    <Heading>Managed</Heading>
                  </>
                }
              >
                {items.map((item) => (
                  <ResourceRow key={item.metadata.id} words={words} item={item} />
                ))}
              </Table>
            )}
            <PageButtons turned={turned} next={nextCursor} onTurn={setTurned} />
          </>
        )}
      </ReadingView>
    </Panel>
  )
}

function ResourceRow({ words, item }: { readonly words: KindWords; readonly item: ListedResource }) {
  const { id, name, managedBy } = item.metadata
  return (
    <tr>
      <Cell>
        <Link className={styles.link} href={editAddress(words, id)}>
          {name ?? id}
        </Link>
      </Cell>
      <Cell>
        <code className={styles.id}>{id}</code>
      </Cell>
      <Cell>{summaryOf(words, item.spec, item.status ?? {})}</Cell>
      <Cell>{managedBy === 'file' ? 'by a file' : 'here'}</Cell>
    </tr>
  )
}
