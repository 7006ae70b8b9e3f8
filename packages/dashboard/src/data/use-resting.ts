// data/use-resting.ts: a value once it has stopped changing: not every letter needs a request, and
// not every wait a message.
import { useEffect, useState } from 'react'

export function useResting<Value>(value: Value, restMs: number): Value {
  const [resting, setResting] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setResting(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return resting
}
