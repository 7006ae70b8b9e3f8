// views/manage: what an operator creates, changes and deletes: endpoints, groups, credentials, routes, and monitors, which
// the view Monitors lists; and everyone's operations, to cancel abandoned ones. A separate chunk, loaded when it is opened. The URL names
// the resource; typed input is kept only here.
import { type Config, sessionEditions } from '@pulseward/contract'
import { lazy, Suspense, useMemo } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { Loading } from '../../components/loading.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useConfig } from '../../data/config.ts'
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useSession } from '../../data/session.ts'
import { useExplained } from '../../data/v2-reading.ts'
import { useV2, type V2Requests } from '../../data/v2-request.ts'
import { useResource } from '../../data/v2-resource.ts'
import type { Json } from './json.ts'
import {
  type KindWords,
  kindOfSegment,
  kinds,
  listAddress,
  newAddress,
  resourcePath,
  wordsOf,
} from './kinds.ts'
import styles from './manage.module.css'
import { OperationTable } from './operation-table.tsx'
import { emptyDocument, nameOf } from './resource-document.ts'
import { ResourceTable } from './resource-table.tsx'
import type { Schema } from './schema.ts'
import { TemplateList } from './template-list.tsx'
import { documentOf, templatesOf } from './templates.ts'

// The editor reads and writes YAML, which is as large as the rest of this view.
const Editor = lazy(() => import('./editor.tsx'))
const FileManaged = lazy(() => import('./file-managed.tsx'))

export default function Manage() {
  const session = useSession()
  const mayManage = useMay('CreateMonitor')
  const requests = useV2()
  const config = bodyOf(useConfig())
  if (config !== null && !servesSessions.has(config.edition))
    return <Refusal>This edition takes its fleet from files. The edition next can be managed here.</Refusal>
  if (session.kind === 'unknown') return <Loading what="The page" />
  if (!mayManage || requests === null)
    return <Refusal>Sign in as an operator to create, change and delete what is watched.</Refusal>
  return <Managed requests={requests} />
}

const servesSessions: ReadonlySet<Config['edition']> = new Set(sessionEditions)

function Refusal({ children }: { readonly children: string }) {
  return (
    <PageTitle tab="Manage" note={children}>
      Nothing can be managed here
    </PageTitle>
  )
}

function Managed({ requests }: { readonly requests: V2Requests }) {
  const [location] = useLocation()
  const [, , first, second] = location.split('/').map(decoded)
  if (first === 'new') {
    const words = kindOfSegment(second)
    return words === undefined ? (
      <NoSuchKind />
    ) : (
      <NewResource key={words.kind} words={words} requests={requests} />
    )
  }
  if (first === operationsSegment)
    return (
      <>
        <PageTitle tab="Operations">Manage</PageTitle>
        <div className={styles.top}>
          <KindLinks chosen={operationsSegment} />
        </div>
        <OperationTable requests={requests} />
      </>
    )
  const words = first === undefined ? wordsOf('NotificationEndpoint') : kindOfSegment(first)
  if (words === undefined) return <NoSuchKind />
  if (second !== undefined && second !== '')
    return <OneResource key={location} words={words} id={second} requests={requests} />
  if (words.kind === 'Monitor') return <Redirect to={listAddress(words)} replace />
  return (
    <>
      <PageTitle tab="Manage">Manage</PageTitle>
      <div className={styles.top}>
        <KindLinks chosen={words.segment} />
        <Link className={styles.create} href={newAddress(words)}>
          New {words.one}
        </Link>
      </div>
      <ResourceTable key={words.kind} words={words} />
    </>
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function NoSuchKind() {
  return (
    <PageTitle tab="Manage" note="Monitors, endpoints, groups, credentials and routes are managed here.">
      There is nothing of this kind
    </PageTitle>
  )
}

const operationsSegment = 'operations'

function KindLinks({ chosen }: { readonly chosen: string }) {
  const links = [
    ...kinds.map((words) => ({ segment: words.segment, many: words.many, href: listAddress(words) })),
    { segment: operationsSegment, many: 'Operations', href: `/manage/${operationsSegment}` },
  ]
  return (
    <nav className={styles.kinds} aria-label="What to manage">
      {links.map(({ segment, many, href }) => (
        <Link
          key={segment}
          href={href}
          className={styles.kind}
          aria-current={segment === chosen ? 'page' : undefined}
        >
          {many}
        </Link>
      ))}
    </nav>
  )
}

function NewResource({ words, requests }: { readonly words: KindWords; readonly requests: V2Requests }) {
  const explained = useExplained(words.kind)
  const key = new URLSearchParams(useSearch()).get('template')
  const offered = templatesOf(words.kind)
  const template = offered.find((one) => one.key === key)
  const start = useMemo<{ readonly document: Json }>(
    () => ({
      document: template === undefined ? emptyDocument(words.kind) : documentOf(words.kind, template),
    }),
    [template, words],
  )
  return (
    <>
      <PageTitle note={words.about}>{`New ${words.one}`}</PageTitle>
      {offered.length > 0 && <TemplateList words={words} offered={offered} chosen={template?.key ?? null} />}
      <ReadingView reading={explained} what="The schema">
        {({ schema }) => (
          <Suspense fallback={<Loading what="The editor" />}>
            <Editor
              key={template?.key ?? 'empty'}
              words={words}
              schema={schema as Schema}
              requests={requests}
              start={start}
            />
          </Suspense>
        )}
      </ReadingView>
    </>
  )
}

function OneResource(props: {
  readonly words: KindWords
  readonly id: string
  readonly requests: V2Requests
}) {
  const { words, id, requests } = props
  const reading = useResource(resourcePath(words, id))
  const explained = useExplained(words.kind)
  const name = reading.available ? nameOf(reading.body.resource as unknown as Json) : id
  return (
    <>
      <PageTitle tab={name} note={<BackTo words={words} />}>
        {name}
      </PageTitle>
      <ReadingView
        reading={reading}
        what={`The ${words.one}`}
        absent={<p>There is no {words.one} with this id.</p>}
      >
        {(body) => (
          <Suspense fallback={<Loading what="The editor" />}>
            {body.resource.metadata.managedBy === 'file' ? (
              <FileManaged words={words} shown={body} requests={requests} />
            ) : (
              <ReadingView reading={explained} what="The schema">
                {({ schema }) => (
                  <Editor words={words} schema={schema as Schema} requests={requests} start={body} />
                )}
              </ReadingView>
            )}
          </Suspense>
        )}
      </ReadingView>
    </>
  )
}

function BackTo({ words }: { readonly words: KindWords }) {
  return (
    <Link className={styles.link} href={listAddress(words)}>
      All {words.many.toLowerCase()}
    </Link>
  )
}
