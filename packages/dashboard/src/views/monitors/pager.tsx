// views/monitors/pager.tsx: goes to any page: by number, or first, previous, next, last.
import { type FormEvent, useId } from 'react'
import { Button } from '../../components/button.tsx'
import { SelectField } from '../../components/field.tsx'
import { formatCount } from '../../format/count.ts'
import { pageSizes } from './filter-state.ts'
import { pageCount } from './page-count.ts'
import styles from './pager.module.css'

export interface PagerProps {
  readonly page: number
  readonly size: number
  readonly total: number
  readonly goTo: (page: number) => void
  readonly chooseSize: (size: number) => void
}

export function Pager({ page, size, total, goTo, chooseSize }: PagerProps) {
  const id = useId()
  const last = pageCount({ size, total })
  const jump = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wanted = new FormData(event.currentTarget).get('page')
    goTo(Math.min(last, Math.max(1, Number(wanted) || 1)))
  }
  // Everything is in sight.
  if (page === 1 && total <= pageSizes[0]) return null
  const sizes = [...new Set<number>([...pageSizes, size])].sort((a, b) => a - b)
  return (
    <nav className={styles.pager} aria-label="Pages">
      <div className={styles.steps}>
        <Button disabled={page <= 1} onClick={() => goTo(1)}>
          First
        </Button>
        <Button disabled={page <= 1} onClick={() => goTo(Math.min(last, page - 1))}>
          Previous
        </Button>
      </div>
      <form className={styles.jump} onSubmit={jump}>
        <label htmlFor={id}>Page</label>
        {/* The key discards what was typed once the page has changed. */}
        <input key={page} id={id} name="page" type="number" min={1} max={last} required defaultValue={page} />
        <span>of {formatCount(last)}</span>
        <button type="submit" className="visually-hidden" tabIndex={-1}>
          Go to the page
        </button>
      </form>
      <div className={styles.steps}>
        <Button disabled={page >= last} onClick={() => goTo(page + 1)}>
          Next
        </Button>
        <Button disabled={page >= last} onClick={() => goTo(last)}>
          Last
        </Button>
      </div>
      <div className={styles.size}>
        <SelectField
          label="Rows per page"
          hideLabel
          value={size}
          onChange={(event) => chooseSize(Number(event.target.value))}
        >
          {sizes.map((choice) => (
            <option key={choice} value={choice}>
              {choice} per page
            </option>
          ))}
        </SelectField>
      </div>
    </nav>
  )
}
