// views/status-pages/prose.tsx: Markdown as customers will read it.
import { v2 } from '@pulseward/contract'
import { Fragment, type ReactNode } from 'react'
import styles from './status-pages.module.css'

export function Prose({ source }: { readonly source: string }) {
  return <div className={styles.prose}>{v2.parseMarkdown(source).map(block)}</div>
}

function block(one: v2.MarkdownBlock, key: number): ReactNode {
  switch (one.kind) {
    case 'paragraph':
      return <p key={key}>{inline(one.of)}</p>
    case 'code':
      return (
        <pre key={key}>
          <code>{one.text}</code>
        </pre>
      )
    case 'list': {
      const List = one.isOrdered ? 'ol' : 'ul'
      return (
        <List key={key}>
          {one.items.map((item, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and all change together.
            <li key={number}>{inline(item)}</li>
          ))}
        </List>
      )
    }
  }
}

function inline(parts: readonly v2.MarkdownInline[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and all change together.
  return parts.map((part, key) => <Fragment key={key}>{span(part)}</Fragment>)
}

function span(part: v2.MarkdownInline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'break':
      return <br />
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return <strong>{inline(part.of)}</strong>
    case 'em':
      return <em>{inline(part.of)}</em>
    case 'link':
      return (
        <a href={part.address} target="_blank" rel="noopener noreferrer">
          {inline(part.of)}
        </a>
      )
  }
}
