// checks/http/wording.ts: how this driver writes what it saw: a URL without the parts that may be secret, and
// the wording that all drivers share.
export { bytesInWords, durationInWords as inWords, quote } from '../../platform/wording.ts'

/** scheme://host[:port]/path; never user info, query or fragment. */
export function displayUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
