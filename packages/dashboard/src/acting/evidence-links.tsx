// acting/evidence-links.tsx: references to evidence as people wrote them. Only addresses of the web become links; anything
// else, a script in the shape of a link too, stays text. Nothing is fetched.
import styles from './act.module.css'

export function EvidenceLinks({ references }: { readonly references: readonly string[] }) {
  return (
    <ul className={styles.evidence}>
      {references.map((reference, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same reference may stand there twice, and the order is fixed.
        <li key={index}>
          {isWebAddress(reference) ? (
            <a className={styles.link} href={reference} target="_blank" rel="noopener noreferrer">
              {reference}
            </a>
          ) : (
            <bdi>{reference}</bdi>
          )}
        </li>
      ))}
    </ul>
  )
}

function isWebAddress(text: string): boolean {
  const { protocol } = URL.parse(text) ?? {}
  return protocol === 'https:' || protocol === 'http:'
}
