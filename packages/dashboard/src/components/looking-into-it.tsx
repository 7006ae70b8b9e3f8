// components/looking-into-it.tsx: since when somebody has acknowledged an incident; follows the name of the person.
import { Age } from './time.tsx'

export function LookingIntoIt({ since }: { readonly since: string | undefined }) {
  if (since === undefined) return 'is looking into it'
  return (
    <>
      has been looking into it for <Age since={since} />
    </>
  )
}
