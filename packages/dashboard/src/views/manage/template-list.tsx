// views/manage/template-list.tsx: the most common checks, and other starting points. The choice is in the URL.
import { Link } from 'wouter'
import { type KindWords, newAddress } from './kinds.ts'
import styles from './manage.module.css'
import type { Template } from './templates.ts'

export function TemplateList({
  words,
  offered,
  chosen,
}: {
  readonly words: KindWords
  readonly offered: readonly Template[]
  readonly chosen: string | null
}) {
  return (
    <nav aria-label="Begin with">
      <ul className={styles.templates}>
        {offered.map(({ key, name, about }) => (
          <li key={key}>
            <Link
              href={`${newAddress(words)}?template=${key}`}
              className={styles.template}
              aria-current={key === chosen ? 'true' : undefined}
              replace
            >
              <strong>{name}</strong>
              <span>{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
