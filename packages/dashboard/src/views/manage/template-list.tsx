// views/manage/template-list.tsx: the most common checks as starting points. The choice is in the URL.
import { Link } from 'wouter'
import { type KindWords, newAddress } from './kinds.ts'
import styles from './manage.module.css'
import { templates } from './templates.ts'

export function TemplateList({
  words,
  chosen,
}: {
  readonly words: KindWords
  readonly chosen: string | null
}) {
  return (
    <nav aria-label="Begin with">
      <ul className={styles.templates}>
        {templates.map(({ key, name, about }) => (
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
