// views/manage/file-managed.tsx: a resource managed by a fleet file, read-only, with the file in which it can be changed.
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Panel } from '../../components/panel.tsx'
import type { V2Requests } from '../../data/v2-request.ts'
import type { VersionedResource } from '../../data/v2-resource.ts'
import { type KindWords, resourcePath } from './kinds.ts'
import styles from './manage.module.css'
import { writablePartOf } from './resource-document.ts'
import { TextEditor } from './text-editor.tsx'
import { writeYamlText } from './yaml-text.ts'

export default function FileManaged(props: {
  readonly words: KindWords
  readonly shown: VersionedResource
  readonly requests: V2Requests
}) {
  const { words, shown, requests } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const sentence = useFileSentence(words, shown, requests)
  return (
    <>
      <p className={styles.fromFile} role="note">
        {sentence} It is read-only here.
      </p>
      <Panel title="YAML" aside="read-only">
        <TextEditor label="document" text={writeYamlText(writablePartOf(shown))} marks={[]} area={area} />
      </Panel>
    </>
  )
}

/**
 * The service names the file only when it refuses a write. An empty patch is such a write: it never changes
 * anything, and is refused if a file manages the resource.
 */
function useFileSentence(words: KindWords, shown: VersionedResource, requests: V2Requests): string {
  const path = resourcePath(words, shown.resource.metadata.id)
  const { data } = useQuery({
    queryKey: ['v2-file-of', path],
    queryFn: async () => {
      const outcome = await requests.write({
        method: 'PATCH',
        path,
        body: {},
        mediaType: 'application/merge-patch+json',
        ifMatch: shown.version,
      })
      return outcome.kind === 'refused' && outcome.code === 'managedByFile' ? outcome.sentence : null
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return data ?? `This ${words.one} comes from a fleet file; change it there.`
}
