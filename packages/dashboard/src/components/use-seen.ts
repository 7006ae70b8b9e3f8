// components/use-seen.ts: whether an element has come into view, so that costly drawing can wait until then.
import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Stays true once the element was seen, and becomes true for printing. Observes only after `isSettled`:
 * before the content above has loaded, everything is in view.
 */
export function useSeen<Of extends Element>(isSettled: boolean): readonly [RefObject<Of | null>, boolean] {
  const element = useRef<Of>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (isSeen || !isSettled || element.current === null) return
    const see = () => setIsSeen(true)
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && see())
    observer.observe(element.current)
    addEventListener('beforeprint', see)
    return () => {
      observer.disconnect()
      removeEventListener('beforeprint', see)
    }
  }, [isSeen, isSettled])
  return [element, isSeen]
}
