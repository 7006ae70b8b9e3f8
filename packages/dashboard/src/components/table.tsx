// components/table.tsx: a native table in the density of the page. It scrolls sideways in its own box, which
// the keyboard can reach. `Figure` cells align their digits on the right.
import type { ReactNode, TdHTMLAttributes, ThHTMLAttributes } from 'react'
import styles from './table.module.css'

export interface TableProps {
  readonly caption: string
  /** Rows of `Heading`. */
  readonly head: ReactNode
  readonly children: ReactNode
}

export function Table({ caption, head, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <section className={styles.box} aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

export function Heading({
  figure = false,
  ...rest
}: ThHTMLAttributes<HTMLTableCellElement> & { readonly figure?: boolean }) {
  return <th scope="col" className={figure ? styles.figure : undefined} {...rest} />
}

export function Cell(props: TdHTMLAttributes<HTMLTableCellElement>) {
  return <td {...props} />
}

export function Figure(props: TdHTMLAttributes<HTMLTableCellElement>) {
  return <td className={styles.figure} {...props} />
}
