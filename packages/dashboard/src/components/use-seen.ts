// components/use-seen.ts: whether an element has come into view. What is costly to draw can wait for that.
import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Stays true once it was seen, and is true when the page is printed. Nobody looks before `isSettled`: while what stands
 * above is not there yet, everything is in view.
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
