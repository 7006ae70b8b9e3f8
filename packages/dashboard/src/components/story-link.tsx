// components/story-link.tsx: leads to the page that tells the story of an incident.
import { Link } from 'wouter'
import { incidentPage } from '../data/incident-path.ts'
import styles from './story-link.module.css'

/** `of`: the monitor, which describes the link where there are several. */
export function StoryLink({ id, of }: { readonly id: string | null; readonly of?: string }) {
  if (id === null) return null
  return (
    <Link
      href={incidentPage(id)}
      className={styles.link}
      title={of === undefined ? undefined : `Story of the incident of ${of}`}
    >
      Story
    </Link>
  )
}
