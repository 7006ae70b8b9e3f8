// views/manage/resource-table.tsx: the resources of a kind, each with a link, in pages. Monitors, of which there may be a
// million, have a view of their own.
import { useState } from 'react'
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Cell, Heading, Table } from '../../components/table.tsx'
import { type ListedResource, useResourceList } from '../../data/v2-reading.ts'
import { editAddress, type KindWords, summaryOf } from './kinds.ts'
import styles from './manage.module.css'
import { PageButtons } from './page-buttons.tsx'

const rowsOfPage = 100

export function ResourceTable({ words }: { readonly words: KindWords }) {
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
